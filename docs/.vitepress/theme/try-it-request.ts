/** What a page says about its call, in its front matter. */
export interface Form {
  readonly method: string;
  readonly path: string;
  /** Whether the call needs a key. */
  readonly keyed: boolean;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly required: boolean;
  }[];
  readonly type: string | null;
  readonly body: string;
}

/** What the reader has filled in; parameters by name. */
export interface Filled {
  readonly key: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Ready {
  readonly url: string;
  readonly init: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}

const TEST_KEY = /^evk_test_[\x21-\x7e]+$/;

/** The request, or what keeps it from being sent. A live key never leaves the page. */
export function requestOf(form: Form, { key, parameters, body }: Filled): Ready | { readonly fault: string } {
  if (form.keyed && !TEST_KEY.test(key))
    return { fault: 'This page takes test keys alone. They begin with evk_test_. A live key belongs on a server.' };
  const given = form.parameters.map((each) => ({
    name: each.name,
    in: each.in,
    required: each.required,
    value: (parameters[each.name] ?? '').trim(),
  }));
  const missing = given.find(({ required, value }) => required && value === '');
  if (missing !== undefined) return { fault: `Fill in ${missing.name}.` };
  const of = (place: 'path' | 'query' | 'header') =>
    given.flatMap(({ name, in: at, value }) => (at === place && value !== '' ? [[name, value] as const] : []));
  const path = of('path').reduce(
    (left, [name, value]) => left.replace(`{${name}}`, () => encodeURIComponent(value)),
    form.path,
  );
  const query = new URLSearchParams(of('query').map(([name, value]) => [name, value])).toString();
  const sends = form.type !== null && body !== '';
  return {
    url: query === '' ? path : `${path}?${query}`,
    init: {
      method: form.method,
      headers: {
        ...(form.keyed ? { Authorization: `Bearer ${key}` } : {}),
        ...(sends ? { 'Content-Type': form.type } : {}),
        ...Object.fromEntries(of('header')),
      },
      ...(sends ? { body } : {}),
    },
  };
}

/** Indented where it is JSON. */
export function shownBody(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
