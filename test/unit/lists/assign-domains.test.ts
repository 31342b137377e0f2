import { describe, expect, it } from 'vitest';
import { assignDomains, type DomainInputs } from '../../../scripts/lists/assign-domains.ts';
import { judgeDomain } from '../../../scripts/lists/domain-name.ts';
import { DOMAIN_SETS, type DomainSet } from '../../../src/domain/lists/lists.ts';

const CURATED = { consumer: [], known: [], relay: [], agent: [], notFree: [], notKnown: [] };
const inputs = (
  given: Partial<Omit<DomainInputs, 'curated'>>,
  curated: Partial<DomainInputs['curated']> = {},
): DomainInputs => ({
  confirmed: [],
  reported: [],
  withdrawn: [],
  freeProviders: [],
  known: [],
  imitated: [],
  offered: [],
  isTypo: () => false,
  ...given,
  curated: {
    ...CURATED,
    ...curated,
  },
});
const assigned = (given: DomainInputs): Record<string, DomainSet[]> =>
  Object.fromEntries(
    [...assignDomains(given).sets].map(([domain, bits]) => [
      domain,
      (Object.keys(DOMAIN_SETS) as DomainSet[]).filter((set) => bits & DOMAIN_SETS[set]),
    ]),
  );

describe('assignment of domains to sets', () => {
  it('blocks what one curated list or two independent reports confirm, and only suspects what one report names', () => {
    expect(
      assigned(
        inputs({
          confirmed: [['sure.com']],
          reported: [
            ['both.com', 'once.com'],
            ['both.com', 'twice.com'],
          ],
        }),
      ),
    ).toEqual({
      'sure.com': ['block'],
      'both.com': ['block'],
      'once.com': ['signal'],
      'twice.com': ['signal'],
    });
  });

  it('takes a report of a parent domain as a report of the domain', () => {
    expect(assigned(inputs({ reported: [['a.throwaway.com'], ['throwaway.com']] }))).toEqual({
      'a.throwaway.com': ['block'],
      'throwaway.com': ['signal'],
    });
  });

  it.each([
    ['a relay', { relay: ['x.com'] }, ['relay']],
    ["an agents' domain", { agent: ['x.com'] }, ['agent']],
    ['a consumer provider', { consumer: ['x.com'] }, ['free', 'known']],
    ['a known domain', { known: ['x.com'] }, ['known']],
  ])('neither blocks nor suspects %s, whatever lists name it', (_, curated, sets) => {
    const listed = inputs({ confirmed: [['x.com']], reported: [['x.com', 'a.x.com'], ['x.com']] }, curated);
    expect(assigned(listed)).toEqual({ 'x.com': sets });
  });

  it('blocks below a known domain only what a confirmed list names there', () => {
    const reported = [['u.x.com', 't.x.com'], ['u.x.com']];
    const listed = inputs({ confirmed: [['t.x.com', 'alone.x.com']], reported, known: ['x.com'] });
    expect(assigned(listed)).toEqual({ 'x.com': ['known'], 't.x.com': ['block'] });
  });

  it('only suspects a listed free provider that one list alone confirms, and blocks it when a second one reports it', () => {
    const listed = inputs({
      confirmed: [['alone.com', 'mail.alone.com', 'twice.com', 'offered.com']],
      reported: [['twice.com']],
      offered: ['offered.com'],
      freeProviders: ['alone.com', 'twice.com', 'offered.com'],
    });
    expect(assigned(listed)).toEqual({ 'alone.com': ['signal'], 'twice.com': ['block'], 'offered.com': ['block'] });
  });

  it('believes no list about a name below a suffix that only governments and their like can have', () => {
    const names = ['x.gov', 'a.x.nhs.uk', 'x.ac.uk', 'x.gouv.fr'];
    const sold = ['x.edu.pl', 'x.mil.pl', 'gov.com'];
    const listed = inputs({ confirmed: [[...names, ...sold]], reported: [names, names] });
    expect(assigned(listed)).toEqual(Object.fromEntries(sold.map((domain) => [domain, ['block']])));
  });

  it('drops a report that the curated list once held and has withdrawn', () => {
    const listed = inputs({
      confirmed: [['again.com']],
      reported: [['back.com', 'new.com', 'twice.com', 'a.known.com'], ['twice.com']],
      withdrawn: ['back.com', 'again.com', 'twice.com', 'a.known.com'],
      known: ['known.com'],
    });
    expect(assigned(listed)).toEqual({
      'new.com': ['signal'],
      'back.com': ['withdrawn'],
      'again.com': ['block'],
      'twice.com': ['block'],
      'known.com': ['known'],
    });
  });

  it('leaves out each listed free provider that is disposable, suspected, a school or company, or ruled out by hand', () => {
    const listed = inputs(
      {
        confirmed: [['block.com']],
        reported: [['signal.com', 'block.com']],
        known: ['school.edu'],
        freeProviders: ['block.com', 'signal.com', 'school.edu', 'gmail.co', 'free.com'],
      },
      { notFree: ['gmail.co'] },
    );
    expect(assigned(listed)).toEqual({
      'block.com': ['block'],
      'signal.com': ['signal'],
      'school.edu': ['known'],
      'free.com': ['free'],
    });
  });

  it('neither blocks nor suspects a typo of a mailbox provider, nor takes it for a provider, unless a service offers it', () => {
    const typos = ['typo.com', 'typo-twice.com', 'typo-once.com', 'typo-offered.com', 'typo-known.com'];
    const listed = inputs(
      {
        confirmed: [['typo.com', 'typo-known.com']],
        reported: [
          ['typo-twice.com', 'typo-offered.com'],
          ['typo-twice.com', 'typo-once.com'],
        ],
        offered: ['typo-offered.com'],
        freeProviders: ['typo.com', 'typo-once.com'],
        isTypo: (domain, known) => typos.includes(domain) && !known(domain),
      },
      { known: ['typo-known.com'] },
    );
    expect(assigned(listed)).toEqual({ 'typo-offered.com': ['signal'], 'typo-known.com': ['known'] });
  });

  it('does not take for known a school whose addresses are open to all', () => {
    expect(assigned(inputs({ known: ['sold.edu', 'mail.sold.edu', 'good.edu'] }, { notKnown: ['sold.edu'] }))).toEqual({
      'good.edu': ['known'],
    });
  });

  it('leaves out a sub-domain its parent answers for alike, and keeps one that differs', () => {
    const listed = inputs({ confirmed: [['x.com', 'a.x.com', 'b.a.x.com']] }, { known: ['c.x.com'] });
    expect(assigned(listed)).toEqual({ 'x.com': ['block'], 'c.x.com': ['known'] });
  });

  it('gives each name left out a reason', () => {
    const { exclusions } = assignDomains(
      inputs({ confirmed: [['co.uk', 'zapto.org', 'x.test', 'no domain', 'x.nosuchtld', 'ok.com']] }),
    );
    expect(exclusions.map(({ name, why }) => [name, why])).toEqual([
      ['co.uk', 'public suffix'],
      ['zapto.org', 'public suffix'],
      ['x.test', 'reserved name'],
      ['no domain', 'no domain name'],
      ['x.nosuchtld', 'unknown top-level domain'],
    ]);
  });

  it.each([
    ['Bücher.DE', 'xn--bcher-kva.de', 'lists mix Unicode and upper case'],
    [' mail.example.org.uk ', 'mail.example.org.uk', 'a name that only looks reserved'],
  ])('reads %j as %s: %s', (text, domain) => {
    expect(judgeDomain(text)).toEqual({ domain });
  });
});
