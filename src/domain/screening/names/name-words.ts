/** Words in names that are not names themselves. Lower case, as they stand between blanks, dots and commas. */
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/**
 * Before a name. Those that people are called too (Dame, Sheikh, Pan, Kumari) stay out: a name of three words matches by two.
 * English, German, French, Spanish, Portuguese, Italian, Dutch, Nordic, Slavic, Arabic, Indian. */
export const TITLES = words(
  'dr mr mrs ms mx miss prof professor sir rev reverend hon capt col maj lt sgt herr frau fraulein fräulein dipl ing ' +
    'mag mme mlle madame monsieur mademoiselle maître sr sra srta señor señora señorita senhor senhora dra dott dottssa sig ' +
    'signor signora avv dhr mevr mw hr fru mgr bc judr mudr phdr г-н г-жа господин госпожа shri ' +
    'smt shrimati',
);

/** Behind a name (what is a short family name too, `Ma`, `Do`, stays out): generations, degrees, honours, and the polite endings of Japanese. */
export const NAME_SUFFIXES = words(
  'jr sr snr jnr junior senior ii iii iv 2nd 3rd phd dphil md mba msc bsc llb llm jd esq esquire cpa cfa cissp pmp dds ' +
    'dvm obe mbe cbe frcs frs filho neto sobrinho fils père san sama sensei 先生 女士 小姐 さん 様 씨 님',
);

/** Suffixes that people are called too: without a comma before them they are words like others (`Marina Neto`). */
export const SUFFIXES_AND_NAMES = words('junior senior md neto filho sobrinho');

/** Go with a family name: Dutch, German, Romance, Arabic, Hebrew, Nordic, Irish, Malay, Vietnamese middle words. */
export const PARTICLES = words(
  "van von de der den des del della dello dei degli di da das do dos du d' la las le les lo los el al ul as ash ad ibn bin " +
    "ben bint binti bat abu abd af av zu zum zur vom ter ten te op het 't y e i und st saint san santa mac mc o' ó ní nic ap " +
    'thi thị van văn bte a/l a/p',
);

/** Say that another name follows: the maiden name counts as one more. */
export const MAIDEN_WORDS = words('née nee né born geb geborene épouse aka alias dite dit');
