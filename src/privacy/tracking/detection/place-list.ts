interface Place<T> {
  readonly path: PathPattern;
  readonly value: T;
}

/** A pattern of path and query in which `*` stands for any text. */
export class PathPattern {
  private readonly pieces: readonly string[];

  constructor(pattern: string) {
    this.pieces = pattern.split('*');
  }

  /** Whether it matches anywhere in `text`, or at its beginning. Linear: each piece is looked for once. */
  matches(text: string, anchored: boolean): boolean {
    const { pieces } = this;
    const first = pieces[0]!;
    const start = anchored ? 0 : text.indexOf(first);
    if (start < 0 || (anchored && !text.startsWith(first))) return false;
    let end = start + first.length;
    for (let number = 1; number < pieces.length; number++) {
      const at = text.indexOf(pieces[number]!, end);
      if (at < 0) return false;
      end = at + pieces[number]!.length;
    }
    return true;
  }
}

/** Path and query in lower case, with bounded length, for the comparison with the paths of lists. */
export function pathAndQuery(url: URL): string {
  return `${url.pathname}${url.search}`.slice(0, 2_048).toLowerCase();
}

/** Places of the form `host` or `host/path`, looked up by host suffix; see `Vendor`. */
export class PlaceList<T> {
  private readonly byHost = new Map<string, Place<T>[]>();

  constructor(places: Iterable<readonly [place: string, value: T]>) {
    for (const [place, value] of places) {
      const slash = place.indexOf('/');
      const host = slash < 0 ? place : place.slice(0, slash);
      const path = slash < 0 ? '/' : place.slice(slash).toLowerCase();
      this.byHost.set(host, [...(this.byHost.get(host) ?? []), { path: new PathPattern(path), value }]);
    }
  }

  /** The value of the first place that contains the URL, the longest host suffix first. @param host result of `hostOf` */
  find(host: string, url: URL): T | undefined {
    let path: string | undefined;
    for (let suffix = host; suffix !== ''; suffix = parentOf(suffix)) {
      const places = this.byHost.get(suffix) ?? this.byHost.get(suffix.replace(/\d+/g, '#'));
      if (!places) continue;
      const text = (path ??= pathAndQuery(url));
      const found = places.find((place) => place.path.matches(text, true));
      if (found) return found.value;
    }
    return undefined;
  }
}

function parentOf(host: string): string {
  const dot = host.indexOf('.');
  return dot < 0 ? '' : host.slice(dot + 1);
}
