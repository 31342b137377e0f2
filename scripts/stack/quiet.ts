/**
 * What keeps wrangler to itself: the default environment, no variables of this process, no call home, no update check, no banner,
 * its logs and registry inside the state directory. Set before it is loaded.
 */
export const quietWrangler = (dir: string): Record<string, string> => ({
  CI: '1',
  CLOUDFLARE_ENV: '',
  CLOUDFLARE_INCLUDE_PROCESS_ENV: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  DO_NOT_TRACK: '1',
  NO_COLOR: '1',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_LOG_PATH: `${dir}/wrangler`,
  WRANGLER_REGISTRY_PATH: `${dir}/wrangler/registry`,
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_SEND_METRICS: 'false',
});
