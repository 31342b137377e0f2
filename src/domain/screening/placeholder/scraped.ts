interface SuffixRow {
  readonly suffixes: string;
  readonly reason: string;
}

/** None of them is a top-level domain (.zip, .mov, .md, .rs and .py are). */
const FILE_SUFFIX_ROWS: readonly SuffixRow[] = [
  { suffixes: 'png jpg jpeg gif svg webp avif bmp ico tif tiff heic', reason: 'Images: `logo@2x.png`' },
  { suffixes: 'css js mjs cjs json map html htm xml php jsx tsx', reason: 'Parts of a page: `swiper@8.min.js`' },
  { suffixes: 'woff woff2 ttf otf eot', reason: 'Fonts' },
  { suffixes: 'mp3 mp4 webm ogg wav pdf doc docx xls xlsx csv txt', reason: 'Media and documents' },
];

const FILE_SUFFIXES: ReadonlySet<string> = new Set(FILE_SUFFIX_ROWS.flatMap(({ suffixes }) => suffixes.split(' ')));

const DIGIT_FIRST = /^\d/;
const NUMBER = /^\d{1,3}$/;
/** `18.2.0-rc.1`, `4.0.0-beta` */
const PRERELEASE = /^\d+-(?:alpha|beta|rc|next|canary|dev|pre|snapshot)/;

/** Whether the domain is the end of a file's or package's name on a page: `icon@3x.png`, `react@18.2.0`. Lower case. */
export function isScrapedName(domain: string): boolean {
  const labels = domain.split('.');
  if (labels.length < 2) return false;
  const last = labels.at(-1) ?? '';
  if (FILE_SUFFIXES.has(last)) return true;
  if (!DIGIT_FIRST.test(domain)) return false;
  if (labels.some((label) => PRERELEASE.test(label))) return true;
  // No top-level domain begins with a digit: a version, or a host's IPv4 address, which is only mistyped.
  return DIGIT_FIRST.test(last) && !(labels.length === 4 && labels.every((label) => NUMBER.test(label)));
}
