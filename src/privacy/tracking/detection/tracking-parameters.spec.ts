import { trackingParameters } from './tracking-parameters';

const of = (query: string): string[] => trackingParameters(new URL(`https://shop.example/p${query}`));

it.each<[string, string[]]>([
  [
    '?utm_source=a&utm_medium=b&utm_social-type=c&utm_id=1',
    ['utm_source', 'utm_medium', 'utm_social-type', 'utm_id'],
  ],
  ['?UTM_SOURCE=a&Utm_Source=b', ['utm_source']],
  ['?mtm_campaign=a&pk_kwd=b&itm_source=c&hsa_cam=d', ['mtm_campaign', 'pk_kwd', 'itm_source', 'hsa_cam']],
  ['?_hsenc=a&_hsmi=1&hsctatracking=x&__hstc=1', ['_hsenc', '_hsmi', 'hsCtaTracking', '__hstc']],
  [
    '?mc_eid=1&mc_cid=2&mkt_tok=3&_kx=4&vero_id=5&bsft_uid=6',
    ['mc_eid', 'mc_cid', 'mkt_tok', '_kx', 'vero_id', 'bsft_uid'],
  ],
  [
    '?fbclid=1&gclid=2&msclkid=3&ttclid=4&li_fat_id=5&igshid=6&yclid=7',
    ['fbclid', 'gclid', 'msclkid', 'ttclid', 'li_fat_id', 'igshid', 'yclid'],
  ],
  ['?cm_mmc=a&cm_mmca1=b&mindbox-click-id=c', ['cm_mmc', 'cm_mmca1', 'mindbox-click-id']],
  ['?a=1#xtor=EPR-12', ['xtor']],
  ['#utm_source=a', ['utm_source']],
  ['?utm%5Fsource=a', ['utm_source']],
  ['?a=1;utm_source=b', ['utm_source']],
  ['?id=1&source=newsletter&campaign=x&ref=mail&utm=1&pk_id=3&gclidx=1', []],
  ['?utm_=1&utm_source=&utm_medium', []],
  [`?utm_${'a'.repeat(100)}=1`, []],
  ['', []],
  ['?utm_source%=1', []],
])('%s', (query, names) => expect(of(query)).toEqual(names));

it('should list at most 50', () => {
  expect(of(`?${Array.from({ length: 80 }, (_, at) => `utm_a${at}=1`).join('&')}`)).toHaveLength(50);
});
