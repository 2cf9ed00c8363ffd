import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentPage } from './document-text';
import { readDocument } from './read-document';

const FOLDER = join(__dirname, '../../../test/fixtures/documents/office');
const read = async (name: string): Promise<readonly DocumentPage[]> => {
  const { pages, problem } = await readDocument({
    bytes: readFileSync(join(FOLDER, name)),
    name,
    mimeType: '',
  });
  expect(problem).toBeNull();
  return pages;
};
const wordsOf = (text: string): string[] => text.replaceAll('\u00ad', '').split(/[\s.:]+/);

const BODY = [
  'Headingword', 'Brokenbold', 'straße', 'Müller', 'naïve', 'Ångström', 'œuvre', 'Ελληνικά', 'Привет', 'coöperate',
  'softhyphen', 'Listone', 'Listtwo', 'Cellone', 'Celltwo', '1234', 'Cellfour', 'Breakword', 'Secondpage',
]; // prettier-ignore
/** Text beside the body: header, footer, notes, text box. */
const BESIDE = ['Letterheadword', 'Footerword', 'Footnoteword', 'Endnoteword', 'Textboxword'];

// The documents are described in test/fixtures/documents/office.
describe('Documents of LibreOffice', () => {
  it.each(['docx', 'doc', 'odt', 'rtf', 'pdf'])(
    'should be read with all their words: letter.%s',
    async (type) => {
      const words = wordsOf((await read(`letter.${type}`)).map(({ text }) => text).join('\n'));
      expect(words).toEqual(expect.arrayContaining([...BODY, ...BESIDE]));
      // A PDF for printing has no remarks.
      if (type !== 'pdf') expect(words).toEqual(expect.arrayContaining(['日本語', 'Annotationword']));
      if (type === 'docx' || type === 'odt') expect(words).not.toContain('Deletedword');
    },
  );

  it('should be read page by page', async () => {
    const pages = await read('letter.pdf');
    expect(
      pages.map(({ name, text }) => [name, text.includes('Secondpage'), text.includes('Endnote')]),
    ).toEqual([
      ['1', false, false],
      ['2', true, false],
      ['3', false, true],
    ]);
  });

  it.each(['xlsx', 'xls', 'ods'])(
    'should be read sheet by sheet, with dates as they are shown: prices.%s',
    async (type) => {
      const pages = await read(`prices.${type}`);
      expect(pages.map(({ kind, name }) => [kind, name])).toEqual([
        ['sheet', 'Prices & more'],
        ['sheet', 'Zweites'],
      ]);
      const [first, second] = pages.map(({ text }) => text.split(/\s+/));
      expect(first).toEqual(
        expect.arrayContaining([
          'Copperpipe',
          '1234.5',
          '2026-04-14',
          '19.5%',
          'Müllerß',
          '日本',
          '2469',
          '4711000123',
          'Notewordcell',
        ]),
      );
      expect(second).toEqual(expect.arrayContaining(['Rhubarb', 'Repeated']));
    },
  );

  it.each(['pptx', 'ppt.gz', 'odp'])('should be read slide by slide, with notes: slides.%s', async (type) => {
    const pages = await read(`slides.${type}`);
    expect(pages.map(({ kind, name, text }) => [kind, name, text.split(/\s+/)])).toEqual([
      [
        'slide',
        '1',
        ['Titleword', 'Quarterly', 'Bulletone', 'Müller', 'Bullettwo', '日本語', 'Speakernote', 'secret'],
      ],
      ['slide', '2', ['Slidecell', 'Othercell', 'Shapeword']],
    ]);
  });
});
