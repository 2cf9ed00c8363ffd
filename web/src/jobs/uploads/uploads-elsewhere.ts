import { useEffect, useState } from 'react';
import { hearTabs, tellTabs } from '../../api/tabs';
import { uploads } from './upload-store';

const ASK_EVERY_MS = 3_000;
/** A tab that has not answered for this long is closed. */
const GONE_MS = 10_000;

/** Answers other tabs which uploads this one deals with, for as long as the page is open. */
export const answerTabs = (): (() => void) =>
  hearTabs('uploadsAsked', () => {
    const ids = uploads.open.flatMap(({ uploadId }) => (uploadId === null ? [] : [uploadId]));
    if (ids.length > 0) tellTabs('uploads', ids);
  });

/** Uploads that other tabs of this browser deal with. */
export function useUploadsElsewhere(): ReadonlySet<string> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const heard = new Map<string, number>();
    const show = (): void => {
      for (const [id, at] of heard) if (Date.now() - at > GONE_MS) heard.delete(id);
      setIds((before) => (sameIds(before, heard) ? before : new Set(heard.keys())));
    };
    const leave = hearTabs('uploads', (told) => {
      for (const id of told) heard.set(id, Date.now());
      show();
    });
    const ask = (): void => {
      tellTabs('uploadsAsked', true);
      show();
    };
    ask();
    const timer = setInterval(ask, ASK_EVERY_MS);
    return () => {
      clearInterval(timer);
      leave();
    };
  }, []);
  return ids;
}

const sameIds = (one: ReadonlySet<string>, other: ReadonlyMap<string, number>): boolean =>
  one.size === other.size && [...one].every((id) => other.has(id));
