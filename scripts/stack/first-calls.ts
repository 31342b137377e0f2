/** A newcomer's first calls, with the shown part of each answer: in README.md, and at the end of `npm start`. */
export interface FirstCall {
  readonly email: string;
  readonly shows: readonly string[];
}

export const LIVE_CALLS: readonly FirstCall[] = [
  { email: 'anna.schmidt@gmail.com', shows: ['"bounce_probability":0.049', '"recommendation":"send"'] },
  { email: 'anna.schmidt@gmial.com', shows: ['"did_you_mean":"anna.schmidt@gmail.com"'] },
  { email: 'anna.schmidt@mailinator.com', shows: ['"recommendation":"drop"', '"reason":"disposable_domain"'] },
];

/** With a test key: `example.com` is the sandbox. */
export const SANDBOX_CALLS: readonly FirstCall[] = [
  { email: 'undeliverable@example.com', shows: ['"verdict":"invalid"', '"recommendation":"drop"'] },
  { email: 'catch-all@example.com', shows: ['"verdict":"likely_valid"', '"catch_all":true'] },
];

const WIDTH = Math.max(...[...LIVE_CALLS, ...SANDBOX_CALLS].map(({ email }) => email.length));
const line = (key: string, { email, shows }: FirstCall): string =>
  `verify $${key.padEnd(6)} ${email.padEnd(WIDTH)} # ${shows.join(', ')}`;

/** A shell with the `export`s that `npm start` prints runs it. */
export const FIRST_CALLS: readonly string[] = [
  `verify() { curl -s "$BASE_URL/v1/verify" -H "Authorization: Bearer $1" -H 'Content-Type: application/json' -d "{\\"email\\":\\"$2\\"}"; echo; }`,
  '',
  ...LIVE_CALLS.map((call) => line('MEMBER', call)),
  '',
  '# The sandbox: nothing is charged or kept.',
  ...SANDBOX_CALLS.map((call) => line('KEY', call)),
];
