/** An endpoint that sender platforms have under domains of their customers. */
export interface WhiteLabelPath {
  readonly vendor: string;
  /** Text anywhere in path and query, compared without case; `*` stands for any text. */
  readonly path: string;
  /** Whether the path alone is too common, so that the URL must also have a token that is unique to the message. */
  readonly needsToken?: boolean;
  /** First label of the hosts of such platforms; with it, path and query have to begin with `path`. */
  readonly host?: RegExp;
}

const plain = (vendor: string, ...paths: string[]): WhiteLabelPath[] =>
  paths.map((path) => ({ vendor, path }));
const withToken = (vendor: string, ...paths: string[]): WhiteLabelPath[] =>
  paths.map((path) => ({ vendor, path, needsToken: true }));

/** Endpoints of images on any host: customers' own domains point at the platforms, which no list of hosts can know. */
export const WHITE_LABEL_PATHS: readonly WhiteLabelPath[] = [
  ...plain('SendGrid', '/wf/open?upn=', '/wf/open?', '/ss/o/*.gif', '/mpss/o/'),
  ...plain('Mailchimp', '/track/open.php?u='),
  ...withToken('Customer.io', '/e/o/'),
  ...plain('HubSpot', '/e2t/o/', '/e2t/to/', '/e3t/bto/', '/e3t/cto/'),
  ...withToken('HubSpot', '/e3t/', '/e1t/o/'),
  ...plain('ActiveCampaign', '/lt.php?*l=open', '/prod/link-tracker?*l=open'),
  ...plain('Salesforce Marketing Cloud', '/open.aspx?'),
  ...withToken('Mailjet', '/oo/'),
  ...withToken('Brevo', '/tr/op/', '/mk/op/'),
  ...withToken('SparkPost', '/q/*~~/'),
  ...withToken('Amazon SES', '/ci0/', '/i0/'),
  ...plain('Amazon SES', 'aws-track-email-open'),
  ...plain('Marketo', '/trk?t=1&mid='),
  ...plain('Oracle Responsys', '/pub/as?_ri_='),
  ...plain('phpList', '/ut.php?u='),
  ...plain('Selligent', '/optiext/optiextension.dll?'),
  ...plain('Cheetah Digital', '/rts/open.aspx?'),
  ...plain('Acoustic', '/ctt/mktopen?'),
  ...withToken('Acoustic', '/open/log/', '/eos/v1/'),
  ...plain('Adobe', '/ee/v1/open'),
  ...plain('Shopify', '/tools/emails/open/'),
  ...withToken('Mailgun', '/o/ej'),
  ...withToken('MessageGears', '/o/4/eyj'),
  ...withToken('Emarsys', '/mo/*.gif'),
  ...withToken('Sailthru', '/img/*/*.gif'),
  ...plain('Movable Ink', '/p/cp/*/o.gif', '/p/up/*/o.gif'),
  ...plain('Inxmail', '/d/d.gif?'),
  ...plain('Mapp', '/tr/p.gif?'),
  ...plain('GetResponse', '/open.html?x='),
  ...withToken('MailerLite', '/link/o/'),
  ...withToken('LiveIntent', '/imp?s='),
  ...plain('Infobip', '/tracking/1/open/'),
  ...plain('Omnisend', '/transactional/track/*?signature='),
  ...plain('Sendy', '/sendy/t/'),
  ...plain('Outreach', '/api/mailings/opened'),
  ...plain('Snov.io', '/track/open/v2-'),
  ...withToken('Maropost', '/a/*/open/'),
  ...withToken('Cordial', '/o/p/'),
  ...withToken('Tripolis', '/public/o/*/t.gif'),
  ...plain('Wild Apricot', '/emailtracker/emailtracker.ashx'),
  ...plain('Qualtrics', '/wrqualtricscontacts/watermark.php'),
  ...plain('Zoho Campaigns', '/clicks/*/open.gif'),
  ...plain('GitHub', '/notifications/beacon/'),
  ...plain('Ongage', '/?xol='),
  ...plain('Facebook', '/email_open_log_pic.php'),
  ...withToken('LinkedIn', '/emimp/'),
  ...withToken('Amazon', '/gp/r.html?'),
  ...plain('Lazada', 'lzdmailer.letter.open='),
  ...withToken('unknown', '/e/eo?_t=', '/email.gif?', '/newsletter/read?'),
  { vendor: 'unknown', host: /^e?mails?\d*$/, path: '/o/', needsToken: true },
  { vendor: 'unknown', host: /^clicks?\d*$/, path: '/q/', needsToken: true },
  ...withToken('unknown', '/track/open/', '/track/open?', '/email/open?', '/email/open/', '/email/track?'),
];
