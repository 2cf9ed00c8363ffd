/** Flat OpenDocument files, which LibreOffice converts to the formats of the demo. */

const NAMESPACES = ['office', 'style', 'text', 'table']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');
const DRAWING = `xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
  xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
  xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"
  xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"`;

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const paragraph = (text) => `<text:p>${escape(text)}</text:p>`;
const document = (kind, styles, body) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${NAMESPACES} ${DRAWING} office:version="1.2"
  office:mimetype="application/vnd.oasis.opendocument.${kind}">${styles}<office:body>${body}</office:body></office:document>`;

/** A text with a list of paragraphs for each page; a list in it is a row of a table. */
export function textDocument(pages) {
  const styles = `<office:automatic-styles><style:style style:name="Next" style:family="paragraph">
    <style:paragraph-properties fo:break-before="page"/></style:style></office:automatic-styles>`;
  const body = pages.map((blocks, index) => {
    const start = index === 0 ? '' : '<text:p text:style-name="Next"/>';
    return (
      start + blocks.map((block) => (Array.isArray(block) ? tableOf([block]) : paragraph(block))).join('')
    );
  });
  return document('text', styles, `<office:text>${body.join('')}</office:text>`);
}

/** A workbook: rows of cells by the name of their sheet. */
export function workbook(sheets) {
  const tables = Object.entries(sheets).map(([name, rows]) => tableOf(rows, name));
  return document('spreadsheet', '', `<office:spreadsheet>${tables.join('')}</office:spreadsheet>`);
}

/** A presentation with lines of text for each slide. */
export function slides(list) {
  const styles = `<office:automatic-styles><style:page-layout style:name="L"><style:page-layout-properties
    fo:page-width="280mm" fo:page-height="158mm"/></style:page-layout></office:automatic-styles>
    <office:master-styles><style:master-page style:name="M" style:page-layout-name="L"/></office:master-styles>`;
  const pages = list.map(
    (lines, index) => `<draw:page draw:name="s${index + 1}" draw:master-page-name="M">
      <draw:frame svg:width="250mm" svg:height="120mm" svg:x="15mm" svg:y="15mm">
      <draw:text-box>${lines.map(paragraph).join('')}</draw:text-box></draw:frame></draw:page>`,
  );
  return document('presentation', styles, `<office:presentation>${pages.join('')}</office:presentation>`);
}

function tableOf(rows, name) {
  const columns = `<table:table-column table:number-columns-repeated="${rows[0].length}"/>`;
  const cells = rows.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`);
  return `<table:table${name ? ` table:name="${escape(name)}"` : ''}>${columns}${cells.join('')}</table:table>`;
}

const cell = (value) =>
  typeof value === 'number'
    ? `<table:table-cell office:value-type="float" office:value="${value}">${paragraph(String(value))}</table:table-cell>`
    : `<table:table-cell office:value-type="string">${paragraph(value)}</table:table-cell>`;
