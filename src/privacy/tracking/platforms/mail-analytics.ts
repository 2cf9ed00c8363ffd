import { Vendor, vendor } from './vendor';

/** Vendors of tests and analytics of mails; see `SENDER_PLATFORMS`. */
export const MAIL_ANALYTICS: readonly Vendor[] = [
  vendor('MTB', 'Litmus', 'emltrk.com'),
  vendor('MTB', 'Email on Acid', 'eoapxl.com'),
  vendor('MTB', 'G-Lock Analytics', 'fssdev.com/t/'),
  vendor('MTB', 'Bombcom', 'bixel.io'),
  vendor(
    'EP',
    'Google',
    'google-analytics.com/collect',
    'google-analytics.com/g/collect',
    'google-analytics.com/__utm.gif',
    'ssl.google-analytics.com',
    'notifications.googleapis.com/email/t/',
    'notifications.google.com/g/img/',
    'google.com/appserve/mkt/img/',
    'ad.doubleclick.net/ddm/ad',
    'youtube.com/gen_204',
    'youtube.com/attribution_link',
  ),
  vendor('MTB', 'Segment', 'api.segment.io/v1/pixel/', 'api.segment.com/v1/pixel/'),
  vendor('MTB', 'Mixpanel', 'api.mixpanel.com/track', 'api.mixpanel.com/trk'),
  vendor('MTB', 'Webtrekk', 'webtrekk.net', 'wt-eu02.net'),
  vendor('MTB', 'Adtriba', 'd.adtriba.com'),
  vendor('MTB', 'Amobee', 'd.turn.com/r/'),
  vendor('MTB', 'Integral Ad Science', 'pixel.adsafeprotected.com'),
  vendor('EP', 'MediaMath', 'pixel.mathtag.com'),
  vendor('EP', 'Lijit', 'ap.lijit.com'),
  vendor('MTB', 'Yahoo', 'a.analytics.yahoo.com/p.pl', 'dsb.yahoo.co.jp/api/v1/clear.gif'),
  vendor('MTB', 'WordPress', 'pixel.wp.com'),
];
