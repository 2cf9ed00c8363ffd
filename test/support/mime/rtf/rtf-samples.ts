import { PSTFile, type PSTFolder, PSTMessage } from 'pst-extractor';
import { SAMPLE } from '../../archive/outlook/pst-files';

const html = (codepage: number, body: string, fonts = ''): string =>
  `{\\rtf1\\ansi\\ansicpg${codepage}\\fromhtml1 \\deff0{\\fonttbl{\\f0\\fswiss Arial;}${fonts}}\\uc1\\pard\\plain\\deftab360 \\f0\\fs24 ${body}}`;
const rtf = (codepage: number, body: string, fonts = ''): string =>
  `{\\rtf1\\ansi\\ansicpg${codepage}\\deff0{\\fonttbl{\\f0\\fswiss Arial;}${fonts}}\\pard ${body}\\par}`;
const SYMBOL = '{\\f1\\froman\\fcharset2 Symbol;}';
const CYRILLIC = '{\\f1\\fswiss\\fcharset204 Arial Cyr;}';
const JAPANESE = '{\\f1\\fmodern\\fcharset128 MS Gothic;}';

/** Documents that show one ability each. */
const MADE: Readonly<Record<string, string>> = {
  'html of the specification': html(
    1251,
    '{\\*\\htmltag <p>}{\\htmlrtf \\f0 \\htmlrtf0 Note the line break. {\\*\\htmltag <b>}{\\htmlrtf \\b \\htmlrtf0 This is bold text{\\*\\htmltag </b>}} \\htmlrtf\\par\\htmlrtf0}{\\*\\htmltag </p>}',
  ),
  'html with a link': html(
    1252,
    '{\\*\\htmltag84 <a href="https://example.com/hidden">}\\htmlrtf {\\field{\\*\\fldinst{HYPERLINK "https://example.com/hidden"}}{\\fldrslt\\cf1\\ul \\htmlrtf0 the shown text\\htmlrtf }\\htmlrtf0 \\htmlrtf }\\htmlrtf0 {\\*\\htmltag92 </a>}',
  ),
  'html with a list': html(
    1252,
    '{\\*\\htmltag <ol><li>}{\\htmlrtf{{\\*\\pn\\pnlvlbody\\pndec\\pnstart1{\\pntxta.}}{\\pntext 111.\\tab}\\htmlrtf0 item one}\\htmlrtf\\par}\\htmlrtf0{\\*\\htmltag </li></ol>}',
  ),
  'html with entities': html(
    1252,
    "{\\*\\htmltag &eacute;}\\htmlrtf \\'e9\\htmlrtf0 t{\\*\\htmltag &eacute;}\\htmlrtf \\'e9\\htmlrtf0  summer",
  ),
  'html with tags of MHTML': html(
    1252,
    '{\\*\\mhtmltag4 <img src="cid:picture">}{\\*\\htmltag4 <img src="picture.png">}after the picture',
  ),
  'text of Exchange':
    '{\\rtf1\\ansi\\ansicpg1252\\fromtext \\deff0{\\fonttbl{\\f0\\fswiss Arial;}}\\uc1\\pard first line\\par second line\\par }',
  'codepage 1251': rtf(1251, "\\'cf\\'f0\\'e8\\'e2\\'e5\\'f2 \\'ec\\'e8\\'f0"),
  'codepage 932': rtf(932, "\\'93\\'fa\\'96\\'7b\\'8c\\'ea text"),
  'charset of a font': rtf(1252, "{\\f1 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2} plain", CYRILLIC),
  'charset of a font in html': html(1252, "{\\f1 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2} plain", CYRILLIC),
  'font of two-byte characters': rtf(1252, "{\\f1 \\'93\\'fa\\'96\\'7b\\'8c\\'ea} plain", JAPANESE),
  'two-byte characters with letters': rtf(932, "\\'83e\\'83X\\'83g\\'83e\\'83X\\'83g text"),
  'font of the document':
    "{\\rtf1\\ansi\\ansicpg1252\\deff1{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset161 Arial Greek;}}\\pard \\'e1\\'eb\\'f6\\'e1 {\\f0 \\'e1\\'eb\\'f6\\'e1}\\plain  \\'e1\\'eb\\'f6\\'e1 end\\par}",
  'symbol font': rtf(1252, 'alpha {\\f1 abc} omega', SYMBOL),
  'unicode with fallbacks': rtf(
    1252,
    "\\u1055?\\u1088?\\u1080?\\u1074?\\u1077?\\u1090? {\\uc2 \\u26085\\'93\\'fa\\u26412\\'96\\'7b\\u-29726\\'8c\\'ea} end",
  ),
  'unicode beyond the BMP': rtf(1252, 'before \\u-10180?\\u-8704? after'),
  'hidden destinations': rtf(
    1252,
    '{\\info{\\author secretauthor}}{\\*\\unknown nothing}{\\header running head}shown words',
  ),
  'special characters': rtf(
    1252,
    "caf\\'e9 na\\u239\\'efve \\ldblquote quoted\\rdblquote  em\\emdash dash \\{braces\\}",
  ),
  table: rtf(1252, '\\trowd\\cellx1000\\cellx2000 left cell\\cell right cell\\cell\\row'),
  field: rtf(1252, '{\\field{\\*\\fldinst HYPERLINK "https://example.com/"}{\\fldrslt shown link}}'),
  'hidden text': rtf(1252, 'seen {\\v invisible} seen again'),
  'deep groups': rtf(1252, `${'{'.repeat(300)}deepest${'}'.repeat(300)} outside`),
  'binary data': rtf(1252, 'before {\\pict\\wmetafile8\\bin4 \\{}x} after'),
  'no end': '{\\rtf1\\ansi\\ansicpg1252 begins and {\\b ends',
};

/** RTF by name: documents that show one ability each, and the bodies of a mailbox of Outlook. */
export function rtfSamples(): ReadonlyMap<string, Buffer> {
  const found = new Map(Object.entries(MADE).map(([name, text]) => [name, Buffer.from(text, 'latin1')]));
  const file = new PSTFile(SAMPLE.ost);
  let number = 0;
  const visit = (folder: PSTFolder): void => {
    // Folders without content tables have no mail.
    if (folder.hasSubfolders) for (const below of folder.getSubFolders()) visit(below);
    if (folder.contentCount === 0) return;
    for (let item = folder.getNextChild(); item; item = folder.getNextChild()) {
      const body = item instanceof PSTMessage ? item.bodyRTF : '';
      if (body) found.set(`mailbox ${(number += 1)}`, Buffer.from(body, 'latin1'));
    }
  };
  visit(file.getRootFolder());
  file.close();
  return found;
}
