/**
 * What a word of a local part or the label of a domain says.
 * - `filler`: not a person's mailbox, alone, with digits or beside other words of this table;
 * - `weak`: a filler at a consumer provider or before a domain that is one itself; elsewhere it may be a desk, initials or a
 *   surname;
 * - `joint`: says nothing alone, but stands beside fillers (`mytest`, `no-email`).
 */
export type WordKind = 'filler' | 'weak' | 'joint';

interface WordRow {
  /** Parted by white space, lower case. */
  readonly words: string;
  readonly kind: WordKind;
  readonly reason: string;
}

const WORD_ROWS: readonly WordRow[] = [
  { words: 'test tests testing testuser testmail', kind: 'filler', reason: 'Typed to try a form' },
  {
    words: `prueba pruebas essai teste testando deneme probando тест проверка テスト 测试 測試 테스트 اختبار δοκιμη בדיקה`,
    kind: 'filler',
    reason: '"Test" in other languages',
  },
  { words: 'prova proba tester probe', kind: 'weak', reason: '"Test" too, but also a surname' },
  {
    words: 'fake dummy bogus placeholder spam junkmail trash throwaway',
    kind: 'filler',
    reason: 'Says of itself that it is not meant',
  },
  { words: 'junk', kind: 'weak', reason: 'The same; also a German surname' },
  { words: 'example ejemplo exemple beispiel esempio exemplo', kind: 'filler', reason: 'Copied from a help text' },
  { words: 'sample', kind: 'weak', reason: 'Copied from a help text; also a surname and the desk for samples' },
  {
    words: 'null none undefined empty nothing unknown notavailable',
    kind: 'filler',
    reason: 'The absent value of a program or database (a person named Null has a first name beside it)',
  },
  {
    words: `email emailaddress emailid mailaddress username user userid name fullname firstname lastname surname forename nickname
      firstlast lastfirst`,
    kind: 'filler',
    reason: "A form's field, typed as it is labelled",
  },
  {
    words: `vorname nachname vornamenachname benutzername nombre apellido nombreapellido correoelectronico prenom prenomnom cognome nomecognome
      sobrenome nomesobrenome imienazwisko voornaam achternaam fornamn efternamn etunimi sukunimi soyisim adsoyad`,
    kind: 'filler',
    reason: "A form's field in other languages",
  },
  {
    words: `yourmail youremail yourname youraddress nomail noemail noreply donotreply dontreply noresponder noresponda nepasrepondre
      nichtantworten keineantwort`,
    kind: 'filler',
    reason: 'Says that no mail is read here: people do not sign up with such a sender',
  },
  {
    words: 'nobody anonymous anonym',
    kind: 'filler',
    reason: 'Stands for a missing name',
  },
  { words: 'noone anon', kind: 'weak', reason: 'Stands for a missing name; also an Irish and a French surname' },
  {
    words: 'asdf qwerty qwertz azerty foobar foobaz blah blabla lorem loremipsum ipsum whatever',
    kind: 'filler',
    reason: 'Stock nonsense',
  },
  {
    words: 'johndoe joebloggs maxmustermann erikamustermann fulanodetal',
    kind: 'filler',
    reason: 'The stock person of forms and examples',
  },
  {
    words: 'janedoe jdoe mustermann',
    kind: 'weak',
    reason: 'The same, but Doe and Mustermann are surnames: in a company it may be theirs',
  },
  {
    words: 'fuckyou fuckoff',
    kind: 'filler',
    reason: 'What the form asks for is resented',
  },
  {
    words: 'foo bar abc xyz asd qwe zxc qaz xxx',
    kind: 'weak',
    reason: 'Stock nonsense of three letters; also a surname (Foo), a hotel bar, initials',
  },
  {
    words: 'me you someone somebody anyone anybody nope no na yes demo guest customer client visitor',
    kind: 'weak',
    reason: 'Names no person; in a company it may be a desk, at a domain of its own one person',
  },
  {
    words: 'mail gmail address domain company website site web nowhere somewhere',
    kind: 'weak',
    reason: 'What a form asks for; a domain of that name is a filler only behind a filler',
  },
  { words: 'your our', kind: 'weak', reason: 'The form speaks of its reader: `your@email.com`' },
  {
    words: `my the this is it not new real valid invalid random temp only just any some first last login account person
      app smtp`,
    kind: 'joint',
    reason: 'Stands beside a filler: mytest, your.email, real-name, test-account',
  },
];

const KINDS: ReadonlyMap<string, WordKind> = new Map(
  WORD_ROWS.flatMap(({ words, kind }) => words.split(/\s+/).map((word) => [word, kind] as const)),
);
const LENGTH_MAX = Math.max(...Array.from(KINDS.keys(), (word) => word.length));

/** The kind of a text that is one word of the table or several without a gap; null when anything else is in it. */
export function kindOf(text: string): WordKind | null {
  const whole = KINDS.get(text);
  if (whole !== undefined) return whole;
  const canEnd: boolean[] = [true];
  // The strongest word on a way to each place: a filler makes the whole one.
  const strongest: (WordKind | null)[] = [null];
  for (let start = 0; start < text.length; start += 1) {
    if (canEnd[start] !== true) continue;
    for (let end = Math.min(text.length, start + LENGTH_MAX); end > start; end -= 1) {
      const kind = KINDS.get(text.slice(start, end));
      if (kind === undefined) continue;
      canEnd[end] = true;
      if (kind === 'filler' || strongest[start] === 'filler') strongest[end] = 'filler';
    }
  }
  return strongest[text.length] ?? null;
}
