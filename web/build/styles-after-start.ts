import type { Plugin } from 'vite';

const STYLES = /\s*<link rel="stylesheet"[^>]*>/g;
const START = /<div id="starting"[^>]*>[^<]*<\/div>/;

/**
 * Moves the style sheets of the page behind what it shows while it loads. Browsers paint what stands before a style sheet in the body,
 * and nothing while one in the head is on its way: on a slow line that is a white page for seconds. The styles of Mantine are in a layer, so
 * that it does not matter which of them and those of our modules comes first.
 */
export function stylesAfterStart(): Plugin {
  return {
    name: 'mailroom-styles-after-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const styles = html.match(STYLES)?.join('') ?? '';
        if (!START.test(html) || styles === '') throw new Error('index.html has no start, or no style sheet');
        return html.replaceAll(STYLES, '').replace(START, (start) => `${start}${styles}`);
      },
    },
  };
}
