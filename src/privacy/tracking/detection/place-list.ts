interface Place<T> {
  readonly path: string;
  readonly value: T;
}

/** Where in `text` the pattern matches: `*` stands for anything. Linear: each piece is looked for once. */
export function matchesAt(text: string, pattern: string, anchored: boolean): boolean {
  let end = 0;
  for (const [number, piece] of pattern.split('*').entries()) {
    const at = text.indexOf(piece, end);
    if (at < 0 || (number === 0 && anchored && at !== 0)) return false;
    end = at + piece.length;
  }
  return true;
}

/** Path and query, in lower case and bounded: what paths of lists are compared with. */
export function pathAndQuery(url: URL): string {
  return `${url.pathname}${url.search}`.slice(0, 2_048).toLowerCase();
}

/** Places of the form `host` or `host/path`, looked up by host suffix; see `SenderPlatform`. */
export class PlaceList<T> {
  private readonly byHost = new Map<string, Place<T>[]>();

  constructor(places: Iterable<readonly [place: string, value: T]>) {
    for (const [place, value] of places) {
      const slash = place.indexOf('/');
      const host = slash < 0 ? place : place.slice(0, slash);
      const path = slash < 0 ? '/' : place.slice(slash).toLowerCase();
      this.byHost.set(host, [...(this.byHost.get(host) ?? []), { path, value }]);
    }
  }

  /** Of the first place the URL lies in, the longest host suffix first. @param host as of `hostOf` */
  find(host: string, url: URL): T | undefined {
    const path = pathAndQuery(url);
    for (let suffix = host; suffix !== ''; suffix = parentOf(suffix)) {
      const places = this.byHost.get(suffix) ?? this.byHost.get(suffix.replace(/\d+/g, '#'));
      const found = places?.find((place) => matchesAt(path, place.path, true));
      if (found) return found.value;
    }
    return undefined;
  }
}

function parentOf(host: string): string {
  const dot = host.indexOf('.');
  return dot < 0 ? '' : host.slice(dot + 1);
}
