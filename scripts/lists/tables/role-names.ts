import type { Row } from './row.ts';

/** Functions beside those of the package; words are joined by hyphens, which stand for dots and underscores as well. */
export const ROLE_NAMES: readonly Row[] = [
  {
    names: 'info marketing sales support abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp',
    reason: 'RFC 2142: mailbox names for common services, roles and functions',
  },
  {
    names: 'mailer-daemon nobody root daemon bounce bounces double-bounce',
    reason: 'Mail systems and bounce handling (RFC 3834, Postfix)',
  },
  { names: 'no-reply noreply donotreply do-not-reply', reason: 'Unattended senders' },
  {
    names: 'hr it pr qa rh hq hi',
    reason: 'Two-letter departments and greetings in wide use, no initials or country codes',
  },
  {
    names: 'it-support help-desk helpdesk service-desk customer-service customer-support',
    reason: 'Written apart as often as together',
  },
  {
    names: 'ceo cfo cto coo cmo ciso dpo gdpr privacy legal compliance',
    reason: 'Offices of a company, under any holder',
  },
  {
    names: `anfrage anfragen beratung bestellungen bewerbung bewerbungen datenschutz einkauf empfang geschaeftsfuehrung hausverwaltung karriere
      kasse kundendienst kundenservice leitung mitglieder personal personalabteilung praxis presse produktion rechnung rechnungen redaktion
      rezeption sekretariat service technik termine verwaltung vertrieb werkstatt`,
    reason: 'German departments',
  },
  {
    names: `accueil achats agence boutique candidature candidatures commande commandes comptable contacts courrier devis direction facturation
      juridique mairie reservation reservations secretariat serviceclients sav`,
    reason: 'French departments',
  },
  {
    names: `almacen atencion ayuda calidad cobranza cobranzas compras contabilidad correo facturas gerencia informes inscripciones matriculas
      pedidos prensa presupuestos recepcion reclamaciones reclamos sistemas soporte ventas`,
    reason: 'Spanish departments',
  },
  {
    names: `acquisti assistenzaclienti commerciale fatturazione fatture informazioni ordine ordini prenotazioni preventivi segreteria
      spedizioni ufficio ufficioacquisti ufficiostampa vendite`,
    reason: 'Italian departments',
  },
  {
    names: 'contabilidade diretoria ouvidoria orcamento orcamentos recepcao reservas sac vendas',
    reason: 'Portuguese departments',
  },
  {
    names:
      'administratie bestellingen boekhouding facturen factuur inkoop klantenservice receptie sollicitatie verkoop vragen',
    reason: 'Dutch departments',
  },
  { names: 'faktura fakturor ekonomi kundtjanst kundservice ordre orderavdelning', reason: 'Scandinavian departments' },
  {
    names: 'faktury kadry kancelaria ksiegowosc obsluga reklamacje rekrutacja sprzedaz zamowienia',
    reason: 'Polish departments',
  },
];

/** Words that only say where or whose a function is: they make no role alone, and break none (`sales-us`, `info-de`). */
export const ROLE_QUALIFIERS: readonly Row[] = [
  {
    names: 'us uk eu de fr es nl be at ch ca au nz jp cn br mx ie dk se no fi pl cz emea apac latam',
    reason: 'Countries and regions',
  },
  {
    names: 'dept department desk office team group global international local external internal main',
    reason: 'Parts of a company',
  },
];

/** Names of the package that are not a function. */
export const NOT_ROLE_NAMES: readonly Row[] = [
  {
    names: 'asd asdasd asdf aaa abc random none null undisclosed-recipients',
    reason: 'Keyboard fillers: screening judges placeholders',
  },
  { names: 'paris india china france berlin', reason: 'First names that the English name lists miss' },
  { names: 'friends fun women ladies angels tribe rockstars geeks', reason: 'No function' },
];

/** Words that are first names and functions, kept as functions: the bare word is far more often a department. */
export const ROLE_NAMES_DESPITE_FIRST_NAME: readonly Row[] = [
  { names: 'care fax mayor web', reason: 'Rare first names' },
];
