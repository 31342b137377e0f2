/** Hosting providers' own suffixes count as public: everybody may take a name below them. Names come normalised. */
export const SUFFIX_OPTIONS = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
};
