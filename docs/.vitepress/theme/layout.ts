import { useData, useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineComponent, h, nextTick, onMounted, ref, watch } from 'vue';
import { filled } from './filled-samples.ts';
import { isTestKey, testKey } from './test-key.ts';

/** On a page of the API every sample is a call; elsewhere files may read the variables themselves. */
const SAMPLES = '.api-page .vp-doc pre code, .vp-doc .language-sh pre code, .vp-doc .language-console pre code';
const COPIED_MS = 2_000;

/** What each piece of a sample said at first. */
const originals = new WeakMap<Text, string>();

function fillSamples(): void {
  for (const code of Array.from(document.querySelectorAll(SAMPLES))) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    const nodes: Text[] = [];
    while (walker.nextNode()) nodes.push(walker.currentNode as Text);
    for (const node of nodes) if (!originals.has(node)) originals.set(node, node.data);
    const key = isTestKey(testKey.value.trim()) ? testKey.value.trim() : '';
    const texts = filled(
      nodes.map((node) => originals.get(node) ?? ''),
      { key, baseUrl: location.origin },
    );
    for (const [at, node] of nodes.entries()) node.data = texts[at] ?? '';
  }
}

/** Above each page: its text for an agent, and the reader's test key for its samples. */
const PageTools = defineComponent({
  name: 'PageTools',
  setup() {
    const { page, site } = useData();
    const copied = ref(false);

    async function copy(): Promise<void> {
      const answer = await fetch(`${site.value.base}${page.value.relativePath}`);
      await navigator.clipboard.writeText(await answer.text());
      copied.value = true;
      setTimeout(() => (copied.value = false), COPIED_MS);
    }

    return () =>
      h('div', { class: 'page-tools' }, [
        h('input', {
          value: testKey.value,
          'aria-label': 'Your test key, for the samples',
          placeholder: 'evk_test_… for the samples',
          title: 'Stays in the memory of this page',
          autocomplete: 'off',
          spellcheck: false,
          onInput: (event: { readonly target: unknown }) =>
            (testKey.value = (event.target as { readonly value: string }).value),
        }),
        h('button', { type: 'button', onClick: () => void copy() }, copied.value ? 'Copied' : 'Copy as Markdown'),
      ]);
  },
});

export const Layout = defineComponent({
  name: 'DocsLayout',
  setup() {
    const route = useRoute();
    onMounted(fillSamples);
    watch([() => route.path, testKey], () => void nextTick(fillSamples));
    return () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(PageTools) });
  },
});
