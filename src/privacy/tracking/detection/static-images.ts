/** Hosts that store the content images of mails: one pixel from there is decoration, whatever its size. */
export const CONTENT_HOSTS: readonly string[] = [
  'mcusercontent.com',
  'gallery.mailchimp.com',
  'cdn-images.mailchimp.com',
  'hubspotusercontent.net',
  'hubspotusercontent#.net',
  'hubspotusercontent-na#.net',
  'hubspotusercontent-eu#.net',
  'hubfs.com',
  'mcauto-images-production.sendgrid.net',
  'marketing-image-production.s3.amazonaws.com',
  'attachments.office.net',
  'static.licdn.com',
  'gstatic.com',
  'braze-images.com',
  'braze.eu',
  'image.exct.net',
  'img.activehosted.com',
  'content.app-us1.com',
  'files.constantcontact.com',
  'img.mailinblue.com',
  'img-cache.net',
  'd3k81ch9hvuctc.cloudfront.net',
  'cdn.shopify.com',
  'substackcdn.com/image',
];

/**
 * File names of images that only take up room, and words in them. Compared with the name of the last path segment
 * without its extension, in lower case.
 */
export const SPACER_WORDS: readonly string[] = [
  'spacer',
  'space',
  'blank',
  'transparent',
  'trans',
  'transp',
  'clear',
  'cleardot',
  'clearpixel',
  'shim',
  'empty',
  'filler',
  'separator',
  'divider',
  'gap',
  'null',
  'invisible',
  'spacer1x1',
  'transparent1x1',
];

/** Other images known to be shown at such sizes: MailTrackerBlocker leaves them out as well. */
export const DECORATION_WORDS: readonly string[] = [
  'apple_logo_web',
  'sidebar-gradient',
  'fedex_collective_logo',
];

/** Words in names of content images: responsive mails hide such ones from one kind of screen. */
export const CONTENT_WORDS: readonly string[] = [
  'logo',
  'hero',
  'banner',
  'header',
  'footer',
  'icon',
  'icons',
  'mobile',
  'desktop',
  'product',
  'photo',
  'avatar',
  'button',
  'arrow',
  'sprite',
  'social',
  'dark',
  'light',
  'image',
];

/** Segments of paths that count openings; they are the evidence for content that is no image, and so has no size. */
export const OPEN_SEGMENTS: readonly string[] = ['open', 'opens', 'opened', 'pixel', 'beacon', 'track'];

/** Such segments for images without a size, where `track` is no evidence: it may be about a parcel or a song. */
export const COUNTING_SEGMENTS: readonly string[] = ['open', 'opens', 'opened', 'pixel', 'beacon'];

/** File types that are not used to count opens. */
export const CONTENT_TYPES: readonly string[] = ['jpg', 'jpeg', 'svg', 'webp', 'avif'];
