/** Line icons, 20 by 20. Each has a label beside it. */
const PATHS = {
  overview: 'M3 10.5 10 4l7 6.5M5 9v7h10V9',
  try: 'M4 5h12v10H4zM4 6l6 5 6-5',
  lists: 'M5 3h7l3 3v11H5zM12 3v3h3M7.5 10h5M7.5 13h5',
  log: 'M4 5h12M4 10h12M4 15h8',
  policy: 'M4 6h6M14 6h2M12 4v4M4 14h2M10 14h6M8 12v4',
  rules: 'M10 3l6 2.5V10c0 3.5-2.5 6-6 7-3.500-1-6-3.500-6-7V5.500z',
  learning: 'M4 16V4M4 16h12M7 13l3-4 2 2 4-5',
  keys: 'M12.500 3.500a4 4 0 1 1-2.900 6.800L4 16v-2.500M6 14l1.500 1.500M12.800 7.200h.01',
  connections: 'M7 3v4M13 3v4M5 7h10v3a5 5 0 0 1-10 0zM10 15v3',
  members:
    'M7.500 9a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM3 16c0-2.500 2-4.500 4.500-4.500S12 13.500 12 16M13.500 9.500a2 2 0 1 0-.5-4M14 12c1.800.4 3 2 3 4',
  settings:
    'M10 12.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM10 3v2M10 15v2M3 10h2M15 10h2M5 5l1.500 1.500M13.500 13.500 15 15M15 5l-1.500 1.500M6.500 13.500 5 15',
  audit: 'M5 3h10v14H5zM8 7h4M8 10h4M8 13h2',
  operator: 'M3 5h14v4H3zM3 11h14v4H3zM6 7h.01M6 13h.01',
  check: 'M4 10.500 8 14.500 16 6',
  edit: 'M4 16l.700-3.300L13 4.400l2.600 2.600L7.300 15.300zM11.300 6.100l2.600 2.600',
  cross: 'M5 5l10 10M15 5 5 15',
  warning: 'M10 3 18 16.500H2zM10 8v4M10 14.200v.1',
  pause: 'M7 5v10M13 5v10',
  play: 'M7 4.500v11l8.500-5.500z',
  turning:
    'M15.500 7A6.500 6.500 0 0 0 4 7.500M4.500 13A6.500 6.500 0 0 0 16 12.500M15.800 3.500V7h-3.500M4.200 16.500V13h3.500',
  clock: 'M10 16.500a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM10 6.500V10l2.500 1.500',
  question: 'M7.500 7.500a2.500 2.500 0 1 1 3.500 2.300c-.7.300-1 .8-1 1.500v.4M10 14.500v.1',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  chevron: 'M6 8l4 4 4-4',
  more: 'M10 4.700v.6M10 9.700v.6M10 14.700v.6',
  grip: 'M7.500 5v.01M7.500 10v.01M7.500 15v.01M12.500 5v.01M12.500 10v.01M12.500 15v.01',
  plus: 'M10 4v12M4 10h12',
  sun: 'M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM10 2.500v1.500M10 16v1.500M2.500 10H4M16 10h1.500M4.700 4.700l1 1M14.300 14.300l1 1M15.300 4.700l-1 1M5.700 14.300l-1 1',
  moon: 'M16 11.500A6.500 6.500 0 0 1 8.500 4a6.500 6.500 0 1 0 7.500 7.500z',
  external: 'M8 5H5v10h10v-3M11 5h4v4M15 5l-6 6',
  upload: 'M10 13V4M6.500 7.500 10 4l3.500 3.500M4 16h12',
  download: 'M10 4v9M6.500 9.500 10 13l3.500-3.500M4 16h12',
  search: 'M9 14A5 5 0 1 0 9 4a5 5 0 0 0 0 10zM13 13l3.500 3.500',
} as const;
export type IconName = keyof typeof PATHS;

export const Icon = ({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={PATHS[name]} />
  </svg>
);
