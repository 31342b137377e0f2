import type { Row } from './row.ts';

/**
 * Functions beside those of the package; words are joined by hyphens, which stand for dots and underscores as well. `listedBy`: the
 * package role-based-email-addresses; the tables of reacherhq/check-if-email-exists, which grew out of it, and of
 * tuhin01/EmailValidationService; the addresses of 14,333 public bodies in okfn/publicbodies. The other names rest on the reason.
 */
export const ROLE_NAMES: readonly Row[] = [
  {
    names: 'info marketing sales support abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp',
    reason: 'RFC 2142: mailbox names for common services, roles and functions',
    listedBy: 'role-based-email-addresses 15, check-if-email-exists 15, EmailValidationService 11, publicbodies 3',
  },
  {
    names: 'mailer-daemon nobody root daemon bounce bounces double-bounce',
    reason: 'Mail systems and bounce handling (RFC 3834, Postfix)',
    listedBy: 'role-based-email-addresses 4, check-if-email-exists 4, EmailValidationService 1',
  },
  {
    names: 'no-reply noreply donotreply do-not-reply',
    reason: 'Unattended senders',
    listedBy: 'role-based-email-addresses 4, check-if-email-exists 2, EmailValidationService 4',
  },
  {
    names: 'hr it pr qa rh hq hi',
    reason: 'Two-letter departments and greetings in wide use, no initials or country codes',
    listedBy: 'role-based-email-addresses 7, check-if-email-exists 7, EmailValidationService 4, publicbodies 3',
  },
  {
    names: 'it-support help-desk helpdesk service-desk customer-service customer-support',
    reason: 'Written apart as often as together',
    listedBy: 'role-based-email-addresses 6, check-if-email-exists 6, EmailValidationService 4, publicbodies 2',
  },
  {
    names: `ceo cfo cto coo cmo cio cso cpo chro ciso dpo gdpr privacy legal compliance founder founders co-founder cofounder owner board
      board-of-directors directors trustees chairman chairperson president vice-president vicepresident counsel`,
    reason: 'Offices of a company, under any holder: the address goes on when the holder leaves',
    listedBy: 'role-based-email-addresses 8, check-if-email-exists 9, EmailValidationService 11',
  },
  {
    names: `ap accounts-payable accounts-receivable accountspayable accountsreceivable invoice-desk returns refunds claims complaint treasury
      audit auditor suppliers vendor investor-relations investorrelations customs`,
    reason: 'Desks of finance and trade, as contact pages and supplier portals name them (AP: accounts payable)',
    listedBy: 'role-based-email-addresses 5, check-if-email-exists 7, EmailValidationService 1',
  },
  {
    names: 'csirt cert soc infosec oncall sre dsar psirt',
    reason:
      'Desks of security and operations: FIRST’s directory of response teams, RFC 2350; psirt@ is NVIDIA’s, Intel’s, AMD’s; data subject requests',
  },
  {
    names: `research quality safety hse ehs qc building janitor garage factory frontdesk front-desk desk assistant assistants hey lists
      bursar librarian schooloffice registry`,
    reason: 'Desks of plants, offices and schools',
    listedBy: 'role-based-email-addresses 3, check-if-email-exists 5, EmailValidationService 2',
  },
  {
    names: `anfrage anfragen beratung bestellungen bewerbung bewerbungen datenschutz einkauf empfang geschaeftsfuehrung hausverwaltung karriere
      kasse kundendienst kundenservice leitung mitglieder personal personalabteilung praxis presse produktion rechnung rechnungen redaktion
      rezeption sekretariat service technik termine verwaltung vertrieb werkstatt`,
    reason: 'German departments',
    listedBy: 'role-based-email-addresses 4, check-if-email-exists 6, EmailValidationService 1, publicbodies 8',
  },
  {
    names: `poststelle buero gemeinde gemeindeverwaltung rathaus stadtverwaltung buergermeister buergeramt buergerbuero standesamt
      landratsamt pfarramt pfarrbuero kirchenbuero kindergarten schulleitung schulbuero geschaeftsleitung rechnungswesen`,
    reason:
      'German offices: poststelle@ is the mailbox that authorities publish (§ 3a VwVfG), the others stand on town and parish pages',
    listedBy: 'publicbodies 2',
  },
  {
    names: `ayuntamiento alcaldia registro tienda gerente viescolaire vie-scolaire prefecture comune sindaco protocollo sklep zarzad
      urzad sekretariatszkoly prefeitura`,
    reason: 'Town halls, schools and shops in Spanish, French, Italian, Polish and Portuguese',
    listedBy: 'role-based-email-addresses 2, check-if-email-exists 2, publicbodies 3',
  },
  {
    names: `accueil achats agence boutique candidature candidatures commande commandes comptable contacts courrier devis direction facturation
      juridique mairie reservation reservations secretariat serviceclients sav`,
    reason: 'French departments',
    listedBy: 'role-based-email-addresses 4, check-if-email-exists 5',
  },
  {
    names: `almacen atencion ayuda calidad cobranza cobranzas compras contabilidad correo facturas gerencia informes inscripciones matriculas
      pedidos prensa presupuestos recepcion reclamaciones reclamos sistemas soporte ventas`,
    reason: 'Spanish departments',
    listedBy: 'role-based-email-addresses 7, check-if-email-exists 7',
  },
  {
    names: `acquisti assistenzaclienti commerciale fatturazione fatture informazioni ordine ordini prenotazioni preventivi segreteria
      spedizioni ufficio ufficioacquisti ufficiostampa vendite`,
    reason: 'Italian departments',
    listedBy: 'role-based-email-addresses 2, check-if-email-exists 2, publicbodies 3',
  },
  {
    names: 'contabilidade diretoria ouvidoria orcamento orcamentos recepcao reservas sac vendas',
    reason: 'Portuguese departments',
    listedBy: 'role-based-email-addresses 5, check-if-email-exists 5, publicbodies 1',
  },
  {
    names:
      'administratie bestellingen boekhouding facturen factuur inkoop klantenservice receptie sollicitatie verkoop vragen',
    reason: 'Dutch departments; klantenservice@ is the address of Jumbo and bol.com',
    listedBy: 'role-based-email-addresses 1, check-if-email-exists 1',
  },
  {
    names: 'faktura fakturor ekonomi kundtjanst kundservice ordre orderavdelning',
    reason: 'Scandinavian departments; kundservice@ is the address of Coop, JYSK and Lantmännen',
    listedBy: 'publicbodies 1',
  },
  {
    names: 'faktury kadry kancelaria ksiegowosc obsluga reklamacje rekrutacja sprzedaz zamowienia',
    reason: 'Polish departments; ksiegowosc@ stands on invoices in public code',
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
  {
    names: `amsterdam antwerp athens atlanta auckland bangkok bangalore barcelona basel beijing belgrade berlin bern bilbao birmingham
      bogota bologna bonn bordeaux boston bremen brisbane bristol brussels bruxelles bucharest budapest cairo calgary capetown chennai
      chicago cologne copenhagen dallas delhi denver detroit dortmund dresden dubai dublin duesseldorf edinburgh essen frankfurt geneva
      geneve genova glasgow goteborg graz guadalajara hamburg hannover helsinki hongkong houston hyderabad innsbruck istanbul jakarta
      johannesburg karachi karlsruhe kiel koeln krakow kyiv lagos lausanne leeds leipzig lille lima linz lisboa lisbon liverpool ljubljana
      london losangeles luxembourg luzern lyon madrid malaga malmo manchester manila mannheim marseille melbourne mexico miami milan
      milano minsk montreal moscow muenchen mumbai munich muenster nairobi nantes naples napoli newyork nice nuernberg nyc osaka oslo
      ottawa paris perth philadelphia porto potsdam prague praha riga roma rotterdam salzburg sanfrancisco santiago saopaulo seattle
      seoul sevilla shanghai shenzhen singapore sofia stockholm strasbourg stuttgart sydney taipei tallinn telaviv tokyo torino toronto
      toulouse turin utrecht valencia vancouver venezia vienna vilnius warsaw warszawa washington wien wroclaw zagreb zurich zuerich`,
    reason:
      'The largest cities of Europe, and of the world by GeoNames: where a desk is (`team-berlin`). Alone they make no role',
  },
];

/** Names of the package that are not a function. */
export const NOT_ROLE_NAMES: readonly Row[] = [
  {
    names: 'asd asdasd asdf aaa abc random none null undisclosed-recipients',
    reason: 'Keyboard fillers: screening judges placeholders',
  },
  { names: 'paris india china france berlin per sem alpha', reason: 'First names that the English name lists miss' },
  { names: 'friends fun women ladies angels tribe rockstars geeks', reason: 'No function' },
  { names: 'user users', reason: 'What programs call an account: `user7` is the seventh person' },
];

/** Words that are first names and functions, kept as functions: the bare word is far more often a department. */
export const ROLE_NAMES_DESPITE_FIRST_NAME: readonly Row[] = [
  { names: 'care web', reason: 'Rare first names, and no surnames' },
];
