import type { CssImages } from '../css/css-declarations';
import type { Findings } from '../rendering/findings';
import type { InlineImages } from '../rendering/inline-images';
import { isRemote } from './addresses';

/** What CSS may show: images the message brings along. What is elsewhere is counted, unless it is a tracker. */
export function cssImages({ images, findings }: { images: InlineImages; findings: Findings }): CssImages {
  return (url) => {
    if (!isRemote(url)) return images.mark(url);
    findings.block(url);
    return null;
  };
}
