import type { Schemas } from '@mailroom/sdk';
import {
  IconAlertTriangle,
  IconArchive,
  IconBriefcase,
  IconCalendar,
  IconFileInvoice,
  IconFolder,
  IconMail,
  IconPaperclip,
  IconShoppingCart,
  IconStar,
  type Icon,
} from '@tabler/icons-react';

type IconName = NonNullable<Schemas['SavedSearchResponse']['icon']>;

/** Icons that a saved search may have. */
export const ICONS: Readonly<Record<IconName, Icon>> = {
  folder: IconFolder,
  star: IconStar,
  mail: IconMail,
  attachment: IconPaperclip,
  invoice: IconFileInvoice,
  alert: IconAlertTriangle,
  archive: IconArchive,
  calendar: IconCalendar,
  work: IconBriefcase,
  shopping: IconShoppingCart,
};
export const ICON_NAMES = Object.keys(ICONS) as IconName[];
