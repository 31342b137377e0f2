/** Words that follow an `@` in common texts but are not hosts, although their form would allow it. */
const ROWS: readonly { readonly words: string; readonly reason: string }[] = [
  {
    words: 'alpha beta canary current dev edge head latest lts main master next nightly prod rc stable staging trunk',
    reason: 'a version or branch by name: `react@latest`, `deploy@main`',
  },
  {
    words: 'dawn dusk evening lunch midnight morning night noon sunset today tomorrow tonight',
    reason: 'a time: `lunch@noon`',
  },
  {
    words: 'monday tuesday wednesday thursday friday saturday sunday',
    reason: 'a day: `standup@monday`',
  },
  { words: 'airport gym home office school uni university work', reason: 'a place: `meet me@home`' },
  {
    words: 'cost day each flat hour item market month once par person piece rate retail seat unit week wholesale year',
    reason: 'a price: `two@each`, `seats@month`',
  },
  { words: 'aud cad chf cny dkk eur gbp inr jpy nok sek usd', reason: 'a currency: `swap@USD`' },
  { words: 'bitbucket github gitlab', reason: 'the login of a code host: `git@github`' },
  {
    words: 'discord facebook instagram linkedin mastodon reddit slack telegram tiktok twitter whatsapp youtube',
    reason: 'a handle and its network: `ada@twitter`',
  },
  { words: 'all channel everyone here team', reason: 'a mention: `hey@everyone`' },
  { words: 'bar baz foo host hostname qux server', reason: 'a placeholder of documentation: `foo@bar`, `user@host`' },
];

export const NOT_HOSTS: ReadonlySet<string> = new Set(ROWS.flatMap(({ words }) => words.split(' ')));
