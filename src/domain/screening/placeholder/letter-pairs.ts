/** Written by `node scripts/lists/letter-pairs.ts` from the names of @faker-js/faker 10.6.0 (MIT) and the pinyin syllables. */

/**
 * How much likelier than by chance a letter follows another in 177,932 local parts made of names: a row for each
 * letter before (a to z), the last row for the beginning; in it a code letter for each letter after. `q`: by chance;
 * each letter on or back: 0.25 nats more or less.
 */
export const LETTER_PAIRS: readonly string[] = [
  'nqqrllooomqtsxlmcvsropjfom',
  'xmglxcfluijphgvfaumdvfaaka',
  'wlolteixujtpliujholmpjaajn',
  'wkhmxfknvjkmmlvhatnlsjkaml',
  'ooppnlnmplqvqvnmaxsrmpkgnm',
  'wjikwrihvhksmjthavomrfeage',
  'wolnvhnquhksmpuogtnmuikdkf',
  'ylijvfgluhkpopuldqknuikanc',
  'unuptkokgmqtqwqmfrtqlnfejm',
  'zknmvfijshpmlmvjaholtjfaaj',
  'xmkkufjpvjnpnkxharqmsjianf',
  'xmlpwkkjwmmtnjtkbhnnrlgaog',
  'zpmjvhhkwflkpjuoeknlqheamh',
  'woptuiurumplmrslclrrmjhalm',
  'opppnmpnllnurwlneuspquoemo',
  'xijgvlewuekoifuqatmmqfcafa',
  'qhhfldfgsfcchfogfgkdzngaad',
  'wnoquipkwkoopoukdpprqlianl',
  'vltjuiiqujsqpltodlsvpljajm',
  'wjlivhguvimmmjuhatnsrghamo',
  'rrrrrkontipuqtpofutriilgqm',
  'zgjivdgfxfknihrhannfngaaje',
  'yggiwefkyehlinsfamufpdeaka',
  'xljjvihmwlklpgqkgmmowkjdjk',
  'wqnqwjmnqkpsqtrndpropmkbhi',
  'xomqvhlowkpooltidlnlqkiapp',
  'ttrrqpqqnqrrtpnriqtqipmgjn',
];
