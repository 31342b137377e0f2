import type { DeliveryClass } from '../../belief/facts.ts';

/**
 * What a refusal says of the mailbox; null means it is about the sender, the message or the way, so nothing is learnt of the
 * mailbox.
 */
export type BounceClass = DeliveryClass | null;

/**
 * Words of servers, in the order in which they decide: the first row that matches does. They are read in lower case, without accents,
 * addresses, host names, links and numbers. What is about the sender, the message, its rate or the protocol comes first, whatever the
 * code beside it. No pattern has a repetition inside a repetition.
 */
export interface WordRow {
  readonly class: BounceClass;
  /** A vague word: a code that says something beats it. */
  readonly isWeak?: true;
  readonly words: RegExp;
  readonly source: string;
}

/** Joins alternatives of one row. */
const any = (...phrases: readonly string[]): RegExp => new RegExp(phrases.join('|'));

export const WORD_ROWS: readonly WordRow[] = [
  {
    class: 'user_unknown',
    words: any(
      'invalid mailbox\\. local mailbox .{0,40}user not found',
      'rcpt to failed.{0,20}user (?:unknown|not found)',
    ),
    source: 'Mail.ru, help.mail.ru/developers/mailing_rules/technical: the mailbox is named beside the message',
  },
  {
    class: 'refused',
    words: any(
      '(?:account|mail ?box|user|recipient|address)\\b.{0,40}(?:inactivity|not used\\b|log ?in to (?:enable|activate))|no recipient activity',
      '(?:account|mail ?box|user|address) (?:is |was |has been )?(?:now )?(?:closed|expired|abandoned)|deactivated due|incoming suspended|never logged|has not (?:logged|entered|accessed)|not an active|email has changed|does not receive (?:any )?mail|extended inactivity',
      'user is terminated|account (?:has )?expired|expired account',
      '(?<!your |your user |sender |sender.s )(?:account|mail ?box|user|recipient) (?:is |has been |was |currently )*(?:\\blocked|disabled|deactivated|suspended|inactive(?! or)|not activ|closed|terminated|frozen)',
      'banned recipient',
      '(?:mailbox|account) has been blocked due to',
    ),
    source: 'Mail.ru, vpopmail and cPanel: an account that was closed',
  },
  {
    class: 'soft',
    words: any(
      'receiving (?:e?mail|messages) (?:too quickly|at a rate)',
      'user .{0,40}too (?:quickly|many recent messages)',
      'deferred due to excessive volume',
      'too many recent messages',
      'unable to correctly read the forwarding recipient',
      'thread limit|gr[ae]y ?-?list|tempfail|name service error|name server|temporarily suspended|status=deferred|postponed due to (?!a full)',
    ),
    source: 'Gmail 4.2.1, Apple and Comcast: the recipient gets too much at once',
  },
  {
    class: null,
    words: any(
      '\\baup ?#|\\btss\\d|\\bs31\\d\\d\\b|\\b(?:sc|rp|oj|dy)-00\\d\\b|\\bib\\d{3}\\b',
      'dns (?:mx|ptr|a)\\b|resource record',
      'address :blocked',
      'sender .{0,30}(?:not a valid|invalid|unknown|denied|reject|not exist|verif|not valid|blocked|unresolv|frequency|block)',
      '(?:invalid|unknown|suspected|suspicious|bad|unauthori[sz]ed|unconfigured|unverified|spam) send(?:er|ing)',
      'sender(?:.s)? (?:e?mail|address|domain|account|mail ?box|user) ',
      'envelope (?:sender|from|blocked|rejected)',
      '(?:mail|envelope)[ -]?from (?:not|is not|must|command|rejected|address)',
      'mail from (?:host|ip|address|not)',
      'emetteur|expediteur|remitente|mittente|remetente|afzender|nadawc|odesilatel|avsandar|afsender|avsender|lahettaja|gonderen|absender(?! eine)|отправител|发件人|寄件人|送信者|発信者|발신자',
      'sender (?:over|was|is|not)|of the sender|from address|ip address not|callback|callout|blocked (?:the )?sender',
      'sending (?:domain|server|mta|ip|limit|quota|host)',
      'return.path',
      'your (?:ip|domain|server|access|host|network|account|address is listed|address has been)',
      'you are (?:not allowed|sending|trying to use)',
      'you must (?:register|log in|authenticate)',
      'submitter',
      'bad(?:ly)? ?(?:mailfrom|helo|rcptto list)|postmaster verif|verification failed while',
    ),
    source:
      'RFC 5321 §3.3: MAIL FROM is refused for the sender’s sake; Orange, LaPoste, Exim, qmail and Exchange word it so',
  },
  {
    class: null,
    words: any(
      '\\b(?:dns ?)?(?:rbl|dnsbl|sbl|xbl|dbl|bl)s?\\b',
      'black ?-?list',
      'block ?-?(?:list|ed (?:by|using|for|from|this|due|- see|see))',
      'deny ?-?list',
      '(?:is|has been|was|are|being) (?:\\w+ )?(?:blocked|banned|(?<!not )listed|filtered)\\b',
      '(?<!not )listed (?:at|by|in|on)',
      '\\blisting in',
      'found on one or more',
      'spamhaus|spamcop|sorbs|barracudacentral|invaluement|uribl|surbl|senderscore|abusix|proofpoint|ipcheck|cloudmark',
      '\\b(?:suspected |is |as |of |considered |looks like |likely |marked )?(?:spam|junk|junkmail|ube|uce|unsolicited|phish\\w*|bulk mail)\\b',
      'reputation',
      'open (?:proxy|relay)',
      'bad ip|ip blocked|rejected because',
      'anti-?spoof|spoof',
      'backscatter|bounce attack',
      'geographical',
      'sender base|senderbase',
      '\\b(?:virus|malware|infected|trojan)\\b',
    ),
    source:
      'RFC 6471 (DNSBL use), Spamhaus, SpamCop; Outlook’s S31xx and SC-00x, Yahoo’s TSS, GMX’s IB: the sender or the message',
  },
  {
    class: null,
    words: any(
      '\\bspf\\b|\\bdkim\\b|\\bdmarc\\b|\\barc\\b',
      'sender policy framework',
      '(?:un)?authenticat',
      '\\bptr\\b|reverse dns|\\brdns\\b|forward dns|reverse lookup|fcrdns',
      '\\b(?:ehlo|helo)\\b',
      'relay(?:ing)? ?(?:access )?(?:denied|not|is|prohibited)|to relay|not (?:a )?relay|as a relay|smtp relay|for relay|relay denied|relaying',
      'domain does not meet',
    ),
    source: 'RFC 7372, RFC 8601, RFC 3207: authentication, the name of the machine that sends, relaying',
  },
  {
    class: null,
    words: any(
      'rate ?-?limit|rate limited|limit reached|slow down|throttl|too fast|frequen',
      'over rate|exceeded (?:hourly|daily)|too many (?!mails auf|messages on|failures)',
      'exceeded .{0,40}(?:per (?:hour|day|minute)|connection|rate|sending|message(?:s)? (?:limit|rate)|threshold|number of|size)',
      'accept delivery of this message|(?:connection|message|recipient|daily|hourly|incoming|sending|submission|smtp|relay|attachment|header) ?(?:sending |incoming |relay |size |count )?(?:limit|quota|rate)',
      'maximum (?:allowed )?(?:number|e?mail size|message size|connections)',
      'per (?:hour|day|session|connection|transaction)\\b',
      'credits exceeded',
      'access denied, tenant',
      'licen[sc]e to send',
    ),
    source: 'RFC 5321 §4.5.3; Gmail 4.7.28 and 5.4.5, Outlook RP-00x, Exchange 5.2.121: how much the sender sends',
  },
  {
    class: 'full',
    words: any(
      '(?:mail ?box|inbox|mail ?folder|maildir|mailstore|mail file|account|boite|buzon|postfach|casella|caixa|bandeja|skrzynka|schranka|postilaatikko|posta kutusu|ящик|storage).{0,40}(?:\\bfull\\b|over ?-?quota|plein|llen[oa]|\\bvoll|piena|cheia|vol\\b|pelna|plna|dolu|переполнен|exce{1,2}d\\w*)',
      '\\b(?:is|was|ccount) full\\b|(?:user|recipient)(?: has| have| is)?.{0,15}(?:exce{1,2}d|over ?-?quota)',
      '(?:over|exceed\\w*|overdrawn) ?-?(?:the |his |her |its |their )?(?:allowed |storage |disk ?-?space |disk |mail )?quota|reached (?:its|the|his|their) (?:maximum|limit)|\\bquota\\b|over quote|folder full|mailbox full|max\\w* (?:allowed )?(?:mailbox|storage) size|quota ?(?:limit |size )?(?:is )?(?:exceed|violation|full|reached)|extended quota|\\b(?:hard|disk?|mailbox|storage|blocks) (?:space )?(?:limit|quota|allocation)',
      'ex?ce{1,2}d\\w* (?:the |its |their |his |allowed )*(?:storage|quota|mailbox|disk|hard limit)|quota exceed the hard|limit exe?ce{0,2}e?d\\w* for this',
      'full (?:mail ?box|inbox)|space .{0,12}not enough|not enough disk ?space|space (?:is|has|has been) used up|too much data|(?:over|exceed\\w*) .{0,20}(?:message count|number of messages)',
      '(?:no|enough|insufficient|out of|exhausted|lack of|zu wenig|kein) (?!system).{0,20}(?:\\bspace\\b|storage|speicher\\w*|disk\\b)',
      'speicherplatz|speichervolumen|disk full',
      'too (?:many|much) (?:e?mails?|messages|mail data)\\b.{0,20}(?:on the server|in|mailbox|$)|zu ?viele e?mails',
      '(?:邮箱|信箱|邮件|空间|容量|メールボックス|용량).{0,8}(?:满|滿|超|不足|一杯|オーバー|초과|부족)',
    ),
    source: 'RFC 3463 X.2.2; Dovecot, Cyrus, maildrop, sendmail, Orange OFR_417, WEB.DE, QQ',
  },
  {
    class: 'user_unknown',
    words: any(
      'unknown (?:user|recipient|or illegal alias|address|mailbox|local part)|(?:user|recipient|mailbox|addressee|account|alias|adress|address) (?:is )?(?:unknown|not found)|no such (?:user|mailbox|recipient|account|address|person|local)',
      'recipient address(?:es)? rejected ?: ?(?:access denied|undeliverable address|user)|recipientnotfound',
      '(?:user|account|mailbox|recipient|email address|address) .{0,60}(?:(?:does|do|dos) not exist|do not exist|not listed in|was not found|could not be found)',
      'no (?:such )?(?:mail ?box|alias|redirect|forwarding)\\b|cannot accept (?:this |that )?(?:user|recipient|address)|(?:recipient|address|user)\\b.{0,20}(?:verif\\w*|validation|look-?up)\\b.{0,20}fail|failed recipient|bad destination (?:e?mail )?address|add?ress?ee (?:is )?unknown|recipient has been (?:deleted|removed)|(?:account|mailbox|user|address) (?:has been |was |is )?(?:deleted|removed)',
      'malformed (?:recipient )?address|bad[ _-]recipient|not unique|ambiguous|exists? (?:that|this|such) (?:user|mailbox|recipient|account)|not (?:a |an |our )?(?:local )?(?:user|customer) (?:of|on|at|here)|not handle mail for that',
      'no (?:mail ?box|user|account|recipient|person|addressee)(?: (?:here|found|available|by|of|with|named)\\b)|no (?:account|mailbox|user) address here|(?:recipient|address|user|mailbox) (?:cannot be|could not be|can not be|not) verified|wrong (?:recipient|address|user)|bad destination mailbox|rcpt .{0,40}not ok',
      'not a valid (?:email |e-mail )?(?:address|mailbox|user)|mailbox name not allowed|valid recipients|not listed in (?:public|domino|the)',
      'was not found at|could not be found at|is niet gevonden|nicht gefunden werden|introuvable|no se ha? encontr|nao foi encontrad|リストにありません|見つかりません',
    ),
    source:
      'RFC 3463 X.1.1: the mailbox is named and is not there; Microsoft’s 5.4.1 with "Recipient address rejected"',
  },
  {
    class: null,
    words: any(
      // One word, which a footer may have too: an unknown user before it decides.
      'abuse|complaints|client host|starttls|\\btls\\b|ssl\\b|certificate|credential|password|your e?mail has been',
      'syntax error|protocol|out of sequence|bad sequence|command (?:not|unrecogni[sz]ed|rejected)|bad commands|too many bad',
      'rfc ?[0-9#]* ?(?:5322|822|2822)|not rfc|rfc compliant|non-?compliant|malformed|mime|line length|line too long|bare (?:lf|cr)|8bit|smtputf8|non-ascii',
      'attachment|header(?:s)? (?:is|are|too|size|based|not)|header based|message (?:header|size|too (?:large|big)|file too big|larger|content|content rejected|filtered|blocked|not allowed|refused|considered)',
      'larger than|too (?:large|big)|size (?:limit|exceed)|over size|file too big|email size',
      'content (?:rejected|examination|filter|policy|not|is)|contains? (?:content|a link|illegal|forbidden)|illegal',
      'polic(?:y|ies)|administrative prohibition|prohibit|not allowed|not permitted|not authori[sz]ed|unauthori[sz]ed',
      'message (?:was )?(?:rejected|refused|denied)|mail (?:is |was )?(?:rejected|refused|rejete)|e?mail (?:was )?(?:rejected|refused|blocked)|transaction failed|delivery (?:not authorized|denied)',
      'access denied|connection (?:denied|refused by policy)|rejected by (?:recipient|this user|user|filter)|customer block|customized-?block',
      'not monitored|not open for|on holiday|out of (?:the )?office|moderat|only (?:accepts|members)|permission to post|members only|not a member|mailing ?list|group you tried',
      'challenge|confirm(?:ation)? (?:required|your)|verify that you|whitelist',
      'unsubscribed|spam report',
      'character sets?|charset|by administrator',
      'duplicate message|suspected|tls:|upgrade to enhanced|nemesis',
    ),
    source:
      'RFC 3463 X.5, X.6, X.7: the protocol, the message, a policy; Exchange 5.7.1xx, mailing lists, challenge-response',
  },
  {
    class: 'soft',
    words: any(
      'mailer error|undefined mail system',
      'try (?:it )?again|try later|retry|later\\b',
      'temporar|tempor\\w+ (?:fail|unavail|error|problem)|temp(?:orary)? (?:local|lookup) problem|tempfail',
      'timed? ?-?out|timeout|deferred|delay(?:ed)?|expired|undelivered after|still undelivered',
      'connection (?:refused|reset|lost|closed|timed|died|frequency)|lost connection|could not connect|unable to connect|no route|connect to|network (?:is )?unreachable|unable to establish|failed to establish|greeting failed',
      'retries|attempts|giving up|not yet been delivered|aborted after|warning message only|loop(?:s|ing|ed)?\\b|mail ?loop|hop count|too many hops|delivered-to line',
      'server (?:busy|(?:is )?down|error|configuration|temporarily)|too busy|system (?:full|error|problem|busy|not accepting)|service (?:currently )?(?:not available|unavailable)|internal error|queue file|local error|configuration error|no healthy',
      'resources|internal server error|unknown reason|unparseable|unable to (?:process|parse)|verification in progress|unverified address',
      'directory (?:server|service) failure|expansion problem|died with status|command died|cannot open|chdir to maildir|could not be delivered for',
      'could not find any host by that name|name server.{0,40}(?:lookup failure|host name lookup failure)|lookup (?:failure|did not complete)|dns (?:error|resolve|lookup|failure) ?(?:error|temporar)|no mx or a for domain|suspended: ',
      'out of (?:memory|resources)|insufficient|overloaded|excessive load|backed up|tried all mx|too many failures|(?:can ?not|could not) (?:open|create|write|send message for|move|chdir)|not (?:reachable|responding)|unreachable|queue period|not respond|no response|trying next mx|read-only file|no (?:valid )?route|within (?:the )?specified time|connection .{0,30}failed|unable to create|closed connection',
    ),
    source:
      'RFC 3463 X.3, X.4: the system, the network, the time for delivery; Postfix, Exim, qmail and sendmail word it so',
  },
  {
    class: 'refused',
    words: any(
      '(?:host|domain|tenant).{0,30}(?:not found|unknown|could not be found|does not exist|not exist|no such|name not found|has no mx)',
      'find any (?:host|mail exchanger) named|no such domain|unknown host|find mx of|null mx|bad destination system|name or service not known|nxdomain|no mx record|does not accept mail|does not accept mail|not accept(?:ing)? (?:any )?(?:e?mail|messages)',
      'dns error when resolving',
      'no longer hosted|(?:address|account|mailbox) is (?:inactive|disabled)|gekundigt|not used for mail|no smtp service|no valid ip address|unrout(?:e)?able (?:mail )?domain|no mail hosts? for|non-?exist[ae]nt domain|not handle mail for address',
      'disabled|deactivated|de-?activated|suspended|\\blocked|inactive|not activ|archiv|dormant|(?:account|mailbox) (?:is |was |has been )?(?:closed|blocked)|due to inactivity|terminated|blocked account|frozen|desactivad|desactive|disattivat|deaktiv|gesperrt|suspend(?:u|ido|ida|ue)\\b|bloquead|zablokowan|заблокирован|отключен|停用|禁用|휴면',
      'has moved|changed (?:address|email)|address change|no longer (?:used|valid|in use|works|available|with|active|accept\\w*|receiv\\w*|exists? here)|owner has changed|left the company',
      'suppress|bounced address|banned recipient|rejected: blocked',
    ),
    source: 'RFC 3463 X.1.2, X.1.6, X.2.1, RFC 7505: the domain takes no mail, the mailbox is closed or has moved',
  },
  {
    class: 'user_unknown',
    words: any(
      '(?:user|recipient|mail ?box|account|address|adress|addressee|person|alias|local ?-?part|destinataire|usuario|utente|empfaenger|empfanger|mailbox name|customer|rcptto|rcpt|name)\\b.{0,60}(?:unknown|not found|no(?:t| longer)? exist\\w*|does not exist|does not exist|not (?:a )?(?:valid|known|listed|registered|recogni[sz]ed|our|local)|invalid|unavailable|inconnu\\w*|desconocid\\w*|unbekannt|sconosciuto|non esiste|no existe|unallocated|undeliverable|could not be found|not be found|non-?existent|marked as invalid|unrouteable|is not|not allowed)',
      '(?:no such|unknown|invalid|nonexist\\w*|non-existent|unavailable|bad destination|inexistant\\w*|unrouteable|unroutable|undeliverable|blank mailhost - invalid|incorrect|misspelled|nessun|not our|no correct|illegal|improper) (?:mail )?(?:user|recipient|mail ?box|account|address|customer|person|local|alias|name|utente|destination|email|rcptto|recipients|destinataire)',
      'does not have (?:a|an) .{0,30}account|no mailbox (?:here )?by that name|no (?:existe|hay|tal)|handle that recipient|not in recipient list|not our customer|not listed in',
      '(?:用户|邮箱|收件人|帐号|账号|地址).{0,14}(?:不存在|未开通|无效|错误|不正确)|该用户|不存在|존재하지|없는|ユーザ.{0,6}(?:ありません|存在しない)|宛先.{0,10}(?:見つ|存在|不明)',
      '(?:inconnue?|desconocid[oa]|desconhecid[oa]|sconosciut[oa]|unbekannte?r?|onbekende?|ukendt|okand|tuntematon|nieznan[ya]|neznam[yae]|ismeretlen|bilinmeyen)\\b|(?:non esist|inesisten|inexisten|no existe|nao existe|nicht bekannt|ukjent|loydy|찾을 수 없)',
      'неизвестн|несуществ|не існує|не знайден|нет такого|не существует|не найден|nie istnieje|bestaat niet|findes ikke|finns inte|ei ole olemassa|neexistuj|nem letez|bulunamad|khong ton tai|tidak (?:ada|ditemukan)',
      'benutzer .{0,20}(?:unbekannt|existiert)|existiert nicht|n.existe pas|n.est pas|boite .{0,20}(?:inconnue|n.existe)',
      'recipnotfound|recipientnotfound|\\bnosuchuser\\b|\\brusr\\b|addressee unknown|mailbox (?:not (?:found|available|here|known|valid|exist|configured)|unavailable)|invalid\\/inactive user',
    ),
    source: 'RFC 3463 X.1.1; Postfix, Exim, sendmail, qmail, Exchange, Gmail, Yahoo, Domino; words of twelve languages',
  },
  {
    class: 'user_unknown',
    words: any(
      '(?:no such|unknown|invalid|not a valid|non-?exist[ae]nt|unable to find|not a (?:recogni[sz]ed|known|registered)) (?:[\\w-]+ ){0,3}(?:user|recipient|mail ?box|account|address|alias)(?:s|es)?\\b',
      'address(?:es)? (?:was|were|is|are) (?:unknown|invalid|not known)|not known (?:at|here|on|to)|user not on',
    ),
    source: 'RFC 3463 X.1.1: the same with words between',
  },
  {
    class: 'user_unknown',
    isWeak: true,
    words: any(
      '(?:recipient|address|user|mailbox)(?:es|s)?\\b.{0,60}(?:rejected|refused)|(?:reject|refus)\\w* (?:the )?(?:recipient|address|user)',
    ),
    source: 'Postfix "Recipient address rejected", Cox, IronPort: of nothing else where no other word stands beside it',
  },
];
