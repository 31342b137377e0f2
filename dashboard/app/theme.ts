import {
  ActionIcon,
  Anchor,
  Badge,
  Button,
  type CSSVariablesResolver,
  createTheme,
  Menu,
  Select,
  Table,
  Tooltip,
} from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  // Mantine's own shades have too little contrast for WCAG AA.
  primaryShade: { light: 8, dark: 8 },
  // Bluish greys, as those of the light scheme.
  colors: {
    dark: [
      '#e6e8ec',
      '#a4abb8',
      '#868e9c',
      '#69717f',
      '#363c47',
      '#292e37',
      '#21252c',
      '#1b1e24',
      '#16181d',
      '#111317',
    ],
  },
  defaultRadius: 8,
  cursorType: 'pointer',
  fontFamily: 'Inter, system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '13.5px', md: '15px', lg: '18px', xl: '24px' },
  lineHeights: { xs: '1.45', sm: '1.5', md: '1.5', lg: '1.4', xl: '1.25' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h3: { fontSize: '22px', lineHeight: '1.3' },
      h5: { fontSize: '15px', lineHeight: '1.4' },
      h6: { fontSize: '13.5px', lineHeight: '1.5' },
    },
  },
  respectReducedMotion: true,
  components: {
    // Within text, colour alone must not mark a link.
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    Badge: Badge.extend({ defaultProps: { tt: 'none' } }),
    Button: Button.extend({ defaultProps: { size: 'sm', fw: 500 } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray' } }),
    Menu: Menu.extend({ defaultProps: { position: 'bottom-end', withinPortal: true, shadow: 'md' } }),
    Select: Select.extend({ defaultProps: { allowDeselect: false } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 8, horizontalSpacing: 'xs' } }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, events: { hover: true, focus: true, touch: true } } }),
  },
});

export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-text': '#1b1f27',
    '--mantine-color-dimmed': '#565d69',
    '--mantine-color-error': colors.red[9] ?? '',
    '--mantine-color-anchor': colors.indigo[8] ?? '',
    '--mantine-color-placeholder': colors.gray[6] ?? '',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-default-border': '#d9dde4',
  },
  dark: {
    '--mantine-color-dimmed': '#a4abb8',
    '--mantine-color-error': colors.red[5] ?? '',
    '--mantine-color-anchor': colors.indigo[3] ?? '',
  },
});
