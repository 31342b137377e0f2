/** Parts of a picture. Places in pixels. */

const escape = (content: string): string => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escape(content)}</text>`;

export const line = (x1: number, y1: number, x2: number, y2: number, more: string): string =>
  `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" ${more}/>`;

export const circle = (x: number, y: number, r: number, more: string): string =>
  `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${r.toFixed(1)}" ${more}/>`;

export const polyline = (points: readonly (readonly [number, number])[], more: string): string =>
  `<polyline points="${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}" fill="none" ${more}/>`;

export const svg = (width: number, height: number, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="#fff"/>${parts.join('\n')}</svg>\n`;
