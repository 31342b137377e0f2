// Before the first paint: light or dark, as the person chose or as the system has it. Mantine reads the same entry.
const kept = localStorage.getItem('mantine-color-scheme-value');
const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
