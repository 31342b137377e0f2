/* global Redoc */
const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

const theme = {
  spacing: { unit: 5, sectionHorizontal: 40, sectionVertical: 22 },
  breakpoints: { medium: '56rem', large: '76rem' },
  colors: {
    primary: { main: '#0b6e4f' },
    success: { main: '#0b6e4f' },
    error: { main: '#b3372f' },
    text: { primary: '#1d2a30', secondary: '#5a6a72' },
    border: { dark: '#dfe5e8', light: '#eef2f4' },
    http: { get: '#0b6e4f', post: '#1f5fa8', put: '#8a5a00', patch: '#8a5a00', delete: '#b3372f' },
  },
  typography: {
    fontSize: '15px',
    lineHeight: '1.6',
    fontFamily: SANS,
    headings: { fontFamily: SANS, fontWeight: '600', lineHeight: '1.3' },
    code: { fontFamily: MONO, fontSize: '13px', color: '#0a5a45', backgroundColor: '#eef4f2', wrap: true },
    links: { color: '#0b6e4f', visited: '#0b6e4f', hover: '#084e38' },
  },
  sidebar: { width: '270px', backgroundColor: '#f7f9fa', textColor: '#1d2a30', activeTextColor: '#0b6e4f' },
  rightPanel: { backgroundColor: '#16252d', width: '40%' },
  codeBlock: { backgroundColor: '#0e1a20' },
};

const options = {
  theme,
  downloadUrls: [{ title: 'openapi.json', url: '/openapi.json' }],
  expandResponses: '200,201,202',
  hideHostname: true,
  jsonSamplesExpandLevel: 5,
  nativeScrollbars: true,
  requiredPropsFirst: true,
  scrollYOffset: 0,
};

Redoc.init('/openapi.json', options, document.getElementById('reference'));
