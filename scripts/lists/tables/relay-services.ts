import type { NamedRow } from './row.ts';

/**
 * Addresses that forward to a mailbox they hide. Their holders are as real as the mailbox behind them: never disposable.
 * Sub-domains are covered (a user's own at 33mail.com, mozmail.com, anonaddy.com, aleeas.com).
 */
export const RELAY_SERVICES: readonly NamedRow[] = [
  {
    who: 'Apple Hide My Email',
    names: 'privaterelay.appleid.com',
    reason: 'Sign in with Apple; developer.apple.com, "Communicating using the private email relay service"',
  },
  {
    who: 'Firefox Relay',
    names: 'mozmail.com relay.firefox.com',
    reason: 'github.com/mozilla/fx-private-relay; relay.firefox.com carried the first aliases',
  },
  { who: 'DuckDuckGo Email Protection', names: 'duck.com', reason: 'duckduckgo.com/email' },
  {
    who: 'SimpleLogin',
    names: `simplelogin.com simplelogin.co simplelogin.fr simplelogin.io aleeas.com slmails.com silomails.com slmail.me
      8alias.com 8shield.net dralias.com`,
    reason: 'Named by its developers in micke/valid_email2 #211 and disposable/disposable #136',
  },
  {
    who: 'Proton Pass',
    names: 'passmail.net passmail.com passinbox.com passfwd.com',
    reason: 'proton.me/pass, aliases by SimpleLogin',
  },
  {
    who: 'addy.io',
    names: 'anonaddy.com anonaddy.me addy.io addymail.com addy.biz mailer.me 4wrd.cc',
    reason: 'addy.io/help: shared domains, and user names as sub-domains',
  },
  { who: '33mail', names: '33mail.com', reason: '33mail.com: any address below the user name forwards' },
  {
    who: 'Spamgourmet',
    names: `spamgourmet.com spamgourmet.net spamgourmet.org antichef.com antichef.net dfgh.net neverbox.com recursor.net
      spamcannon.com spamcannon.net xoxy.net 0sg.net mamber.net`,
    reason: 'spamgourmet.com: forwards a set number of messages; the other names are its alternates',
  },
  { who: 'Sneakemail', names: 'sneakemail.com snkmail.com', reason: 'sneakemail.com: paid forwarding addresses' },
  { who: 'E4ward', names: 'e4ward.com', reason: 'e4ward.com: forwarding aliases below the user name' },
  { who: 'GishPuppy', names: 'gishpuppy.com', reason: 'gishpuppy.com: forwards until switched off' },
  { who: 'Spamex', names: 'spamex.com', reason: 'spamex.com: paid forwarding addresses' },
  { who: 'IronVest (Blur)', names: 'opayq.com', reason: 'Masked e-mail of Abine Blur, now IronVest' },
  {
    who: 'MySudo',
    names:
      'sudomail.com sudomail.biz sudomail.net sudolife.me sudolife.net sudoverse.com sudoverse.net sudoweb.net sudoworld.com sudoworld.net',
    reason: 'mysudo.com: alias mailboxes of a registered person, read in its app beside the real one',
  },
  { who: 'Mailx by IVPN', names: 'ivpnmail.com', reason: 'ivpn.net: forwarding aliases for its customers' },
  {
    who: 'ProxiedMail',
    names: 'proxiedmail.com pxdmail.com pxdmail.net',
    reason: 'proxiedmail.com: forwarding aliases',
  },
  {
    who: 'Skiff Quick Alias',
    names: 'maskmy.id hidemy.id',
    reason:
      'skiff.com/quick-alias: aliases below the user name, delivered to the holder’s own Skiff mailbox; ended in 2024',
  },
  { who: 'InboxAlias', names: 'inboxalias.com', reason: 'inboxalias.com: forwarding aliases of a registered person' },
  {
    who: 'MaskMail',
    names: 'maskmail.net maskmail.io',
    reason:
      'Masks last until their holder ends them; disposable-email-domains #167 keeps it off the curated list for that',
  },
  {
    who: 'Burner Mail',
    names: 'burnermail.io',
    reason: 'burnermail.io: aliases of a registered person, forwarded until switched off',
  },
  { who: 'Bump', names: 'bumpmail.io', reason: 'Forwarding aliases' },
  { who: 'Lockr', names: 'lockrmail.com', reason: 'lockrMail: forwarding aliases' },
  { who: 'erine.email', names: 'erine.email', reason: 'erine.email: open-source forwarding aliases' },
  {
    who: 'Booking.com',
    names: 'guest.booking.com',
    reason: 'partner.booking.com: an alias per reservation, forwarded to the guest and gone some time after the stay',
  },
  { who: 'Expedia', names: 'm.expediapartnercentral.com', reason: 'An alias per reservation, forwarded to the guest' },
  { who: 'Agoda', names: 'agoda-messaging.com', reason: 'An alias per reservation, forwarded to the guest' },
  {
    who: 'Airbnb',
    names: 'guest.airbnb.com',
    reason: 'An alias per reservation; none are given out since September 2023',
  },
  {
    who: 'Amazon Marketplace',
    names: `marketplace.amazon.com marketplace.amazon.ca marketplace.amazon.com.mx marketplace.amazon.com.br marketplace.amazon.co.uk
      marketplace.amazon.de marketplace.amazon.fr marketplace.amazon.it marketplace.amazon.es marketplace.amazon.nl
      marketplace.amazon.se marketplace.amazon.pl marketplace.amazon.com.tr marketplace.amazon.in marketplace.amazon.co.jp
      marketplace.amazon.com.au`,
    reason: 'Sellers see a buyer under an alias only (buyer-seller messaging)',
  },
  {
    who: 'eBay',
    names:
      'members.ebay.com members.ebay.co.uk members.ebay.de members.ebay.fr members.ebay.it members.ebay.es members.ebay.ca members.ebay.com.au',
    reason: 'Sellers see a buyer under an alias only',
  },
  { who: 'Walmart Marketplace', names: 'relay.walmart.com', reason: 'Sellers see a buyer under an alias only' },
  { who: 'craigslist', names: 'reply.craigslist.org', reason: 'Two-way mail relay between poster and reader' },
  {
    who: 'Facebook',
    names: 'proxymail.facebook.com',
    reason: 'Aliases once given to applications in place of the address',
  },
];
