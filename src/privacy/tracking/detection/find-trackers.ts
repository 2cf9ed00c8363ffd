import { isShownAsText, openedLeavesOf } from '../../../platform/mime/attachment-parts';
import { writtenText } from '../../../platform/mime/body-text';
import { Defects } from '../../../platform/mime/defects';
import { readMessage } from '../../../platform/mime/contained-parts';
import { looksLikeHtml, textKindOf } from '../../../platform/mime/text-kinds';
import { htmlReferences, type HtmlReferences, type ImageReference, MAX_HTML } from './html-references';
import { hostOf, remoteUrl, shownUrl } from './remote-url';
import { MAX_TRACKERS, MAX_URL, type Tracker } from './tracker';
import { trackingParameters } from './tracking-parameters';
import { findLoad, findPixel, type FoundPixel } from './tracking-pixel';

/** Most parameters listed for the links of one host. */
const MAX_PARAMETERS = 50;

/**
 * The trackers of an HTML document: images that report the message's opening (one for each platform, or host where
 * the platform is not known), then links that carry campaign or reader parameters (one for each host, with the
 * parameters of all its links). They are in the order of the document, 100 at most. Linear in the input, of which
 * the first 2 MiB are read; no address is fetched.
 */
export function findTrackers(html: string): Tracker[] {
  return findTrackersInAll([html]);
}

/** The trackers of a message that consists of several documents. */
export function findTrackersInAll(documents: readonly string[]): Tracker[] {
  const pixels = new Map<string, Tracker>();
  const links = new Map<string, Set<string>>();
  for (const html of documents) {
    const references = htmlReferences(html);
    for (const { vendor, domain, url } of pixelsOf(references)) {
      if (pixels.has(vendor) || pixels.size === MAX_TRACKERS) continue;
      pixels.set(vendor, { type: 'pixel', domain, url: shownUrl(url, MAX_URL) });
    }
    for (const link of references.links) {
      for (const url of addDestination(link)) addParameters(links, url);
    }
  }
  const utm = [...links].map(([domain, params]): Tracker => ({ type: 'utm', domain, params: [...params] }));
  return [...pixels.values(), ...utm].slice(0, MAX_TRACKERS);
}

function* pixelsOf(references: HtmlReferences): Generator<FoundPixel> {
  const occurrences = new Map<string, number>();
  for (const { src } of references.images) occurrences.set(src, (occurrences.get(src) ?? 0) + 1);
  const looked = new Set<string>();
  for (const image of references.images) {
    const found = findPixel({
      ...image,
      context: {
        atEnd: image.textsBefore === references.texts,
        occurrences: occurrences.get(image.src) ?? 1,
        responsive: isResponsive(image, references),
      },
    });
    if (found) yield found;
  }
  for (const address of references.loads) {
    if (looked.has(address)) continue;
    looked.add(address);
    const url = remoteUrl(address);
    const found = url && findLoad(url);
    if (found) yield found;
  }
}

function isResponsive(image: ImageReference, { styledClasses }: HtmlReferences): boolean {
  return image.classes.some((name) => styledClasses.has(name));
}

/** A link and its destination, which redirectors name in a parameter. */
function addDestination(link: string): URL[] {
  const url = remoteUrl(link);
  if (!url) return [];
  const destinations = [...url.searchParams.values()]
    .slice(0, MAX_PARAMETERS)
    .filter((value) => /^https?:\/\//i.test(value));
  return [url, ...destinations.flatMap((value) => remoteUrl(value) ?? [])];
}

function addParameters(links: Map<string, Set<string>>, url: URL): void {
  const found = trackingParameters(url);
  if (found.length === 0) return;
  const domain = hostOf(url);
  let params = links.get(domain);
  if (!params) {
    if (links.size === MAX_TRACKERS) return;
    params = new Set();
    links.set(domain, params);
  }
  for (const name of found) if (params.size < MAX_PARAMETERS) params.add(name);
}

/** The trackers in the HTML that a reader of the message sees, of which the first 2 MiB are read. Never throws. */
export function messageTrackers(raw: Buffer): Tracker[] {
  const defects = new Defects();
  const documents: string[] = [];
  let left = MAX_HTML;
  for (const leaf of openedLeavesOf(readMessage(raw, defects))) {
    if (left <= 0) break;
    const kind = textKindOf(leaf);
    if (kind === null || kind === 'enriched' || !isShownAsText(leaf)) continue;
    const html = writtenText(leaf, left, defects);
    if (kind === 'plain' && !looksLikeHtml(html)) continue;
    documents.push(html);
    left -= html.length;
  }
  return findTrackersInAll(documents);
}
