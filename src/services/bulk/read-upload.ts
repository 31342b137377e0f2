import { holdsAddress } from '../../contract/stored-text.ts';
import { release } from '../../domain/bulk/csv/address-file.ts';
import { detect, type LayoutHints, SAMPLE_BYTES } from '../../domain/bulk/csv/detect.ts';
import { type FileFault, FileIngest } from '../../domain/bulk/csv/ingest.ts';
import {
  type ReadFile,
  type StoredUpload,
  addressesKey,
  rowIndexKey,
  uploadKey,
} from '../../domain/bulk/job-record.ts';
import { type Blobs, openFile, PartedPut } from '../../storage/r2.ts';

export type Unreadable = FileFault | 'empty_file';

/**
 * Reads an upload in one pass. Its first 64 KB show the layout. Index and addresses are stored under the reading's own id, so
 * that two readings at once never mix.
 */
export async function readUpload(
  blobs: Blobs,
  prefix: string,
  upload: StoredUpload,
  wishes: LayoutHints,
): Promise<ReadFile | Unreadable> {
  const { attempt, reading, isPasted } = upload;
  const blocks = await openFile(blobs, uploadKey(prefix, attempt));
  /** Takes the address file where that is too long for memory. */
  let parted: PartedPut | null = null;
  let isStored = false;
  try {
    const head: Uint8Array[] = [];
    let sampled = 0;
    let next = await blocks.next();
    for (; next.done !== true && sampled < SAMPLE_BYTES; next = await blocks.next()) {
      head.push(next.value.slice());
      sampled += next.value.length;
    }
    const detected = detect(joined(head, SAMPLE_BYTES), next.done === true && sampled <= SAMPLE_BYTES, wishes);
    if (typeof detected === 'string') return detected;

    const { columns, charset, emailColumnOther, ...how } = detected;
    // Titles are kept outside the file, where no address in any form is kept.
    const titles = columns.map((title) => (holdsAddress(title) ? '' : title));
    const ingest = new FileIngest(how, isPasted);
    let takesMore = head.every((block) => ingest.write(block));
    for (; next.done !== true && takesMore; next = await blocks.next()) {
      takesMore = ingest.write(next.value);
      const piece = ingest.takePiece();
      if (piece === null) continue;
      parted ??= new PartedPut(blobs, addressesKey(prefix, reading));
      await parted.write(piece);
      release(piece);
    }
    const facts = ingest.end();
    if (typeof facts === 'string') return facts;
    const { rowIndex, addressFile, ...counts } = facts;
    await blobs.put(rowIndexKey(prefix, reading), rowIndex);
    if (parted === null) await blobs.put(addressesKey(prefix, reading), addressFile);
    else {
      await parted.write(addressFile);
      await parted.end();
    }
    isStored = true;
    release(rowIndex, addressFile);
    return { upload, file: { reading: how, columns: titles, emailColumnOther, charset, ...counts } };
  } finally {
    await blocks.return();
    if (!isStored) await parted?.abort();
  }
}

function joined(blocks: readonly Uint8Array[], limit: number): Uint8Array {
  const all = new Uint8Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    all.set(block, at);
    at += block.length;
  }
  return all.subarray(0, limit);
}
