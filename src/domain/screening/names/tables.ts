import { type JapaneseNames, openJapaneseNames } from './japanese-names.ts';
import { type NativeReading, openNativeNames } from './native-names.ts';
import { type Nicknames, openNicknames } from './nicknames.ts';
import { openRomaniser, type Romaniser } from './romanise.ts';

/** What is known of the names of people, in place of any rule. */
export interface NameTables {
  readonly roman: Romaniser;
  readonly nicknames: Nicknames;
  readonly nativeReading: NativeReading;
  readonly japanese: JapaneseNames;
}

/** The packed tables that names are read by, `data/*.bin`. */
export interface PackedReadingTables {
  readonly romanisation: ArrayBuffer | Uint8Array;
  readonly nicknames: ArrayBuffer | Uint8Array;
  readonly nativeNames: ArrayBuffer | Uint8Array;
  readonly japaneseNames: ArrayBuffer | Uint8Array;
}

/** All of them. */
export interface PackedNameTables extends PackedReadingTables {
  readonly knownNames: ArrayBuffer | Uint8Array;
}

/** Throws when one of them is not what its builder wrote. */
export const openNameTables = (packed: PackedReadingTables): NameTables => ({
  roman: openRomaniser(packed.romanisation),
  nicknames: openNicknames(packed.nicknames),
  nativeReading: openNativeNames(packed.nativeNames),
  japanese: openJapaneseNames(packed.japaneseNames),
});
