/**
 * ISO 3166-1 alpha-2 codes with English names in folded form (`foldName`): the Unicode CLDR's, and those vendors write.
 * XK is user-assigned, for companies in Kosovo.
 */
const TABLE = `
AD andorra
AE united arab emirates | uae
AF afghanistan
AG antigua and barbuda
AI anguilla
AL albania
AM armenia
AO angola
AQ antarctica
AR argentina
AS american samoa
AT austria
AU australia
AW aruba
AX aland islands
AZ azerbaijan
BA bosnia and herzegovina
BB barbados
BD bangladesh
BE belgium
BF burkina faso
BG bulgaria
BH bahrain
BI burundi
BJ benin
BL saint barthelemy
BM bermuda
BN brunei | brunei darussalam
BO bolivia
BQ caribbean netherlands | bonaire, sint eustatius, and saba
BR brazil
BS bahamas
BT bhutan
BV bouvet island
BW botswana
BY belarus
BZ belize
CA canada
CC cocos (keeling) islands
CD democratic republic of the congo | congo - kinshasa | dr congo | congo, the democratic republic of the
CF central african republic
CG republic of the congo | congo | congo - brazzaville
CH switzerland
CI cote d'ivoire | ivory coast
CK cook islands
CL chile
CM cameroon
CN china
CO colombia
CR costa rica
CU cuba
CV cape verde | cabo verde
CW curacao
CX christmas island
CY cyprus
CZ czechia | czech republic
DE germany
DJ djibouti
DK denmark
DM dominica
DO dominican republic
DZ algeria
EC ecuador
EE estonia
EG egypt
EH western sahara
ER eritrea
ES spain
ET ethiopia
FI finland
FJ fiji
FK falkland islands | falkland islands (malvinas)
FM micronesia | federated states of micronesia
FO faroe islands
FR france
GA gabon
GB united kingdom | uk | great britain
GD grenada
GE georgia
GF french guiana
GG guernsey
GH ghana
GI gibraltar
GL greenland
GM gambia
GN guinea
GP guadeloupe
GQ equatorial guinea
GR greece
GS south georgia and south sandwich islands | south georgia and the south sandwich islands
GT guatemala
GU guam
GW guinea-bissau
GY guyana
HK hong kong | hong kong sar china
HM heard and mcdonald islands | heard island and mcdonald islands
HN honduras
HR croatia
HT haiti
HU hungary
ID indonesia
IE ireland
IL israel
IM isle of man
IN india
IO british indian ocean territory
IQ iraq
IR iran
IS iceland
IT italy
JE jersey
JM jamaica
JO jordan
JP japan
KE kenya
KG kyrgyzstan
KH cambodia
KI kiribati
KM comoros
KN saint kitts and nevis
KP north korea
KR south korea | korea, republic of | republic of korea
KW kuwait
KY cayman islands
KZ kazakhstan
LA laos
LB lebanon
LC saint lucia
LI liechtenstein
LK sri lanka
LR liberia
LS lesotho
LT lithuania
LU luxembourg
LV latvia
LY libya
MA morocco
MC monaco
MD moldova
ME montenegro
MF saint martin
MG madagascar
MH marshall islands
MK north macedonia | macedonia
ML mali
MM myanmar | burma | myanmar (burma)
MN mongolia
MO macau | macao | macao sar china
MP northern mariana islands
MQ martinique
MR mauritania
MS montserrat
MT malta
MU mauritius
MV maldives
MW malawi
MX mexico
MY malaysia
MZ mozambique
NA namibia
NC new caledonia
NE niger
NF norfolk island
NG nigeria
NI nicaragua
NL netherlands
NO norway
NP nepal
NR nauru
NU niue
NZ new zealand
OM oman
PA panama
PE peru
PF french polynesia
PG papua new guinea
PH philippines
PK pakistan
PL poland
PM saint pierre and miquelon
PN pitcairn islands | pitcairn
PR puerto rico
PS palestine | palestinian territories | palestinian territory | state of palestine
PT portugal
PW palau
PY paraguay
QA qatar
RE reunion
RO romania
RS serbia
RU russia | russian federation
RW rwanda
SA saudi arabia
SB solomon islands
SC seychelles
SD sudan
SE sweden
SG singapore
SH saint helena | saint helena, ascension and tristan da cunha
SI slovenia
SJ svalbard and jan mayen
SK slovakia
SL sierra leone
SM san marino
SN senegal
SO somalia
SR suriname
SS south sudan
ST sao tome and principe
SV el salvador
SX sint maarten
SY syria | syrian arab republic
SZ eswatini | swaziland
TC turks and caicos islands
TD chad
TF french southern territories
TG togo
TH thailand
TJ tajikistan
TK tokelau
TL timor-leste | east timor
TM turkmenistan
TN tunisia
TO tonga
TR turkey | turkiye
TT trinidad and tobago
TV tuvalu
TW taiwan
TZ tanzania
UA ukraine
UG uganda
UM u.s. outlying islands | united states minor outlying islands
US united states | united states of america | usa
UY uruguay
UZ uzbekistan
VA vatican city | vatican | holy see
VC saint vincent and grenadines | saint vincent and the grenadines
VE venezuela
VG british virgin islands
VI u.s. virgin islands
VN vietnam | viet nam
VU vanuatu
WF wallis and futuna
WS samoa
XK kosovo
YE yemen
YT mayotte
ZA south africa
ZM zambia
ZW zimbabwe`;

const ROWS: readonly (readonly [code: string, names: readonly string[]])[] = TABLE.trim()
  .split('\n')
  .map((line) => [line.slice(0, 2), line.slice(3).split(' | ')]);

const CODES: ReadonlySet<string> = new Set(ROWS.map(([code]) => code));
const CODE_BY_NAME: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap(([code, names]) => names.map((name) => [name, code] as const)),
);

/** One spelling of each name: `Côte d’Ivoire`, `The Gambia`, `St. Lucia`, `Bosnia & Herzegovina`. */
const foldName = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll('&', 'and')
    .replace(/^the /, '')
    .replace(/^st\.? /, 'saint ');

export const isCountryCode = (text: string): boolean => CODES.has(text);

/** The code of a country given by code or English name; null when the text is neither. */
export function countryCode(text: string | null): string | null {
  if (text === null) return null;
  const written = text.trim();
  const code = written.toUpperCase();
  return CODES.has(code) ? code : (CODE_BY_NAME.get(foldName(written)) ?? null);
}
