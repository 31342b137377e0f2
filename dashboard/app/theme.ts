import { Anchor, type CSSVariablesResolver, createTheme } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'blue',
  // Mantine's own shades of filled blue, links, dimmed and error have too little contrast for WCAG AA.
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '600' },
  respectReducedMotion: true,
  // Within text, colour alone would mark a link.
  components: { Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }) },
});

export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7] ?? '',
    '--mantine-color-error': colors.red[9] ?? '',
    '--mantine-color-anchor': colors.blue[9] ?? '',
    '--mantine-color-placeholder': colors.gray[6] ?? '',
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1] ?? '',
    '--mantine-color-error': colors.red[5] ?? '',
    '--mantine-color-anchor': colors.blue[4] ?? '',
  },
});
