import { Injectable } from '@nestjs/common';
import { StoredMail, StoredMails } from '../mails/stored-mails';
import type { WantedMail } from './exported-mail';

const PAGE = 500;

interface Page {
  readonly mails: StoredMail[];
  readonly isLast: boolean;
}

/** Mails for exports, oldest first, a page at a time. */
@Injectable()
export class ExportedMailPages {
  constructor(private readonly mails: StoredMails) {}

  /**
   * Pages of these mails in their order.
   * @param onDeleted called for each mail deleted meanwhile; an error it throws ends the pages
   */
  pagesOf(
    accountId: string,
    wanted: readonly WantedMail[],
    onDeleted: (mail: WantedMail) => void,
  ): AsyncGenerator<StoredMail[]> {
    return loadPages(async (_previous, number) => {
      const some = wanted.slice(number * PAGE, (number + 1) * PAGE);
      const mails = await this.mails.findAll(
        accountId,
        some.map(({ id }) => id),
      );
      if (mails.length < some.length) {
        const found = new Set(mails.map(({ id }) => id));
        for (const mail of some) if (!found.has(mail.id)) onDeleted(mail);
      }
      return { mails, isLast: (number + 1) * PAGE >= wanted.length };
    });
  }

  /**
   * Pages of all mails of the account, each read when it is due: no cursor or transaction is open meanwhile. While dates of
   * mails of an earlier version may change, mails come in the order in which they arrived: none is missed.
   */
  async *pagesOfAll(accountId: string): AsyncGenerator<StoredMail[]> {
    const isDated = !(await this.mails.hasOutdated(accountId));
    yield* loadPages(async (previous) => {
      const after = previous?.position ?? null;
      const mails = isDated
        ? await this.mails.findNextByDate(accountId, after, PAGE)
        : await this.mails.findNext(accountId, { after, limit: PAGE });
      return { mails, isLast: mails.length < PAGE };
    });
  }
}

/** Loads each page while the one before is consumed. @param load takes the last mail and the number of pages so far */
async function* loadPages(
  load: (previous: StoredMail | undefined, number: number) => Promise<Page>,
): AsyncGenerator<StoredMail[]> {
  let loading: Promise<Page> | null = load(undefined, 0);
  for (let number = 1; loading; number++) {
    const { mails, isLast }: Page = await loading;
    loading = isLast ? null : load(mails.at(-1), number);
    // The promise is awaited when its turn comes, unless the consumer stops before.
    loading?.catch(() => undefined);
    yield mails;
  }
}
