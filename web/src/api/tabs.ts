/** Messages between the tabs of this browser. */
export interface TabMessages {
  /** The person signed in or out, in any tab: what is shown belongs to another person now, or to none. */
  readonly session: 'begun' | 'ended';
  /** An event of the service, from the tab that holds the stream. */
  readonly event: { readonly event: string; readonly data: unknown };
  /** Which uploads does another tab deal with? */
  readonly uploadsAsked: true;
  /** The answer: their ids at the service. */
  readonly uploads: readonly string[];
  /** The stream was interrupted: what is cached may be old. */
  readonly interrupted: true;
}

type Kind = keyof TabMessages;
type Message = { [K in Kind]: { readonly kind: K; readonly value: TabMessages[K] } }[Kind];

const CHANNEL = 'mailroom';
/** Opened with the first use: tests have none. */
let channel: BroadcastChannel | null = null;
const openChannel = (): BroadcastChannel => (channel ??= new BroadcastChannel(CHANNEL));

/** Tells the other tabs; this one hears nothing. */
export function tellTabs<K extends Kind>(kind: K, value: TabMessages[K]): void {
  openChannel().postMessage({ kind, value });
}

/** @returns call it to stop listening */
export function hearTabs<K extends Kind>(kind: K, listener: (value: TabMessages[K]) => void): () => void {
  const hear = ({ data }: MessageEvent<Message>): void => {
    if (data.kind === kind) listener(data.value as TabMessages[K]);
  };
  const source = openChannel();
  source.addEventListener('message', hear);
  return () => source.removeEventListener('message', hear);
}
