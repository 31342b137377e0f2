import type { Row } from './row.ts';

/** Several persons read the mailbox. */
export const SHARED_NAMES: readonly Row[] = [
  {
    names:
      'team the-team theteam teams ateam squad crew crews equipe equipo squadra mannschaft kollegium kolleg tiimi zespol',
    reason: 'A team',
  },
  {
    names:
      'staff all-staff allstaff personnel personeel colaboradores mitarbeiter mitarbeitende medarbejdere collaboratori',
    reason: 'Everybody who works there',
  },
  {
    names:
      'all everyone everybody all-team allteam all-employees allemployees all-users allusers all-hands allhands alle tous todos tutti company-wide',
    reason: 'Everybody there is',
  },
  { names: 'group groups the-group gruppe groupe grupo gruppo grupa', reason: 'A group' },
  { names: 'members mitglieder miembros membres membri leden', reason: 'The members of a body' },
  {
    names: 'students all-students allstudents teachers all-teachers allteachers faculty faculties classroom',
    reason: 'Those of a school',
  },
  { names: 'board committee council vorstand consiglio directiva bestuur styret trustees', reason: 'A board' },
  { names: 'parents owners residents tenants neighbours neighbors volunteers alumni', reason: 'A circle of persons' },
  { names: 'choir orchestra orchester', reason: 'A choir, an orchestra' },
];

/** A household, wherever the word stands in the name. */
export const HOUSEHOLD_WORDS: readonly Row[] = [
  { names: 'family familie famille familia famiglia familien perhe rodzina familjen', reason: 'A family' },
  { names: 'household haushalt', reason: 'A household' },
];
