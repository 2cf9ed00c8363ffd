import { hostOf, remoteUrl, shownUrl } from '../../tracking/detection/remote-url';
import { MAX_TRACKERS, MAX_URL, type PixelTracker, type Tracker } from '../../tracking/detection/tracker';
import { knownTracker } from '../../tracking/detection/tracking-pixel';

/** Most addresses compared with known trackers; a message with more was made on purpose. */
const MAX_LOOKED_AT = 5_000;
/** Most parameters listed for the links of one host. */
const MAX_PARAMETERS = 50;
/** Most UTF-16 units of markup of all parts together, images not counted. */
const MAX_MARKUP = 8 * 1024 * 1024;

/** Counts of removed content, kept while a message is rewritten. */
export class RenderFindings {
  /** Number of references to content of other machines that is no tracker. */
  remoteContentBlocked = 0;
  /** Number of images of the message itself that are shown in it. */
  inlineImages = 0;
  /** Whether part of the message is not shown because it is too large. */
  truncated = false;

  private readonly pixelUrls: ReadonlySet<string>;
  private lookedAt = 0;
  private room = MAX_MARKUP;
  private readonly links = new Map<string, Set<string>>();

  /** @param pixels trackers that the tracking scan finds in the message, so that both give the same number */
  constructor(private readonly pixels: readonly PixelTracker[]) {
    this.pixelUrls = new Set(pixels.map(({ url }) => url));
  }

  /**
   * Counts a remote reference that is left out.
   * @param isTracker tells whether its appearance shows a tracker; called when its address does not
   * @returns whether it was a tracker
   */
  block(address: string, isTracker = (): boolean => false): boolean {
    if (this.lookedAt++ < MAX_LOOKED_AT && (this.isKnown(address) || isTracker())) return true;
    this.remoteContentBlocked++;
    return false;
  }

  /** Takes back the count of a remote reference that is shown after all. */
  unblock(): void {
    this.remoteContentBlocked--;
  }

  /** Takes room from the rest of the markup limit; without room the message is truncated. */
  hasRoom(length: number): boolean {
    if (length > this.room) {
      this.room = 0;
      this.truncated = true;
      return false;
    }
    this.room -= length;
    return true;
  }

  private isKnown(address: string): boolean {
    const url = remoteUrl(address);
    return url !== null && (knownTracker(url) !== null || this.pixelUrls.has(shownUrl(url, MAX_URL)));
  }

  /** Records parameters that were removed from a link. */
  addParameters(link: URL, names: readonly string[]): void {
    if (names.length === 0) return;
    const host = hostOf(link);
    const known = this.links.get(host) ?? new Set<string>();
    if (known.size === 0 && this.links.size >= MAX_TRACKERS) return;
    for (const name of names) if (known.size < MAX_PARAMETERS) known.add(name);
    this.links.set(host, known);
  }

  /** Trackers: pixels, one for each platform; then links, one for each host. */
  get trackers(): Tracker[] {
    const links = [...this.links].map(([domain, names]): Tracker => ({
      type: 'utm',
      domain,
      params: [...names],
    }));
    return [...this.pixels, ...links].slice(0, MAX_TRACKERS);
  }
}
