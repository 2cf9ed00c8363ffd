import { isIP } from 'node:net';
import { parseUrl } from '../../../platform/egress/parse-url';

/** A bucket and how it is addressed. */
export interface ObjectStoreLocation {
  /** Scheme, host and port, nothing else. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Whether the bucket is part of the path (`host/bucket/key`) instead of the host name. */
  readonly forcePathStyle: boolean;
}

export interface ObjectStoreCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export const DEFAULT_REGION = 'us-east-1';
export const DEFAULT_BUCKET = 'mailroom-archives';

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]*[a-z0-9])?)*\.?$/;

/**
 * Normalizes the address of an object store for storage and comparison.
 * @returns null unless it is an http(s) URL of a host without credentials, path, query and fragment
 */
export function normalizeEndpoint(text: string): string | null {
  const url = /^https?:\/\/[^\s\\]+$/i.test(text) ? parseUrl(text) : null;
  if (!url) return null;
  if (url.username || url.password || url.search || url.hash || text.includes('?') || text.includes('#')) {
    return null;
  }
  if (url.pathname !== '/' || url.port === '0') return null;
  const isAddress = isIP(url.hostname.replace(/^\[|\]$/g, '')) > 0;
  return isAddress || HOST_NAME.test(url.hostname) ? url.origin : null;
}

/** The naming rules of general purpose buckets (Amazon S3 User Guide), which every store accepts. */
export function isBucketName(text: string): boolean {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)) return false;
  if (/\.\.|\.-|-\./.test(text) || isIP(text) > 0) return false;
  return !/^(xn--|sthree-|amzn-s3-demo-)|(-s3alias|--ol-s3|\.mrap|--x-s3|--table-s3)$/.test(text);
}
