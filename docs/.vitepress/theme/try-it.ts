import { useData } from 'vitepress';
import { defineComponent, h, reactive, ref, type VNode } from 'vue';
import { testKey as key } from './test-key.ts';
import { type Form, requestOf, shownBody } from './try-it-request.ts';

const LIMIT_MS = 30_000;
/** Characters of an answer that the page shows. */
const SHOWN = 50_000;

interface Said {
  readonly title: string;
  readonly body: string;
}

async function answerTo(url: string, init: RequestInit): Promise<Said> {
  try {
    const answer = await fetch(url, {
      ...init,
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const body = shownBody(await answer.text()).slice(0, SHOWN);
    return { title: `${answer.status}, ${answer.headers.get('x-trace-id') ?? ''}`, body };
  } catch {
    return { title: 'The service did not answer.', body: '' };
  }
}

const written = (event: { readonly target: unknown }): string => (event.target as { readonly value: string }).value;

function field(label: string, value: string, write: (value: string) => void, lines = 1): VNode {
  const attributes = {
    value,
    spellcheck: false,
    autocomplete: 'off',
    autocapitalize: 'off',
    onInput: (event: { readonly target: unknown }) => write(written(event)),
  };
  const box = lines === 1 ? h('input', { ...attributes, type: 'text' }) : h('textarea', { ...attributes, rows: lines });
  return h('label', { class: 'try-field' }, [h('span', label), box]);
}

/** Sends the page's call to the service that the page comes from. */
export const TryIt = defineComponent({
  name: 'TryIt',
  setup() {
    const form = useData().frontmatter.value.call as Form;
    const parameters = reactive<Record<string, string>>({});
    const body = ref(form.body);
    const said = ref<Said | null>(null);
    const waits = ref(false);

    async function send(): Promise<void> {
      const request = requestOf(form, { key: key.value.trim(), parameters, body: body.value });
      if ('fault' in request) {
        said.value = { title: request.fault, body: '' };
        return;
      }
      waits.value = true;
      said.value = await answerTo(request.url, request.init);
      waits.value = false;
    }

    const fields = () => [
      ...(form.keyed
        ? [
            field('Test key (evk_test_…)', key.value, (value) => (key.value = value)),
            h('p', { class: 'try-note' }, 'It stays in the memory of this page, and a reload forgets it.'),
          ]
        : []),
      ...form.parameters.map(({ name, required }) =>
        field(required ? `${name}, required` : name, parameters[name] ?? '', (value) => (parameters[name] = value)),
      ),
      ...(form.type === null
        ? []
        : [
            field('Body', body.value, (value) => (body.value = value), Math.min(14, body.value.split('\n').length + 1)),
          ]),
      h('button', { type: 'submit', class: 'try-send', disabled: waits.value }, waits.value ? 'Waiting …' : 'Send'),
    ];

    return () =>
      h('details', { class: 'try' }, [
        h('summary', 'Try it here'),
        h(
          'form',
          {
            onSubmit: (event: Event) => {
              event.preventDefault();
              void send();
            },
          },
          fields(),
        ),
        h(
          'div',
          { role: 'status' },
          said.value === null
            ? []
            : [
                h('p', { class: 'try-title' }, said.value.title),
                ...(said.value.body === '' ? [] : [h('pre', { class: 'try-answer', tabindex: 0 }, said.value.body)]),
              ],
        ),
      ]);
  },
});
