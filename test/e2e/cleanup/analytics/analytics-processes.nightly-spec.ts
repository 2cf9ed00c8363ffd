import type { NestExpressApplication } from '@nestjs/platform-express';
import { HeatmapService } from '../../../../src/cleanup/analytics/heatmap.service';
import { SuggestionsService } from '../../../../src/cleanup/analytics/suggestions.service';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';

describe('Analytics in several processes', () => {
  let sut: TestApp;
  let other: NestExpressApplication;
  let user: TestUser;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    ({ app: other } = await sut.another());
    user = await sut.user();
  });

  afterAll(async () => {
    await other?.close();
    await sut?.close();
  });

  it('should share computed figures', async () => {
    const id = await user.connect('shared-60@sandbox.mailroom.test');
    const { body } = await user.api.get(`/api/analytics/${id}/heatmap?tz=Europe/Paris`);
    sut.sandbox.stats.reset();
    expect(await other.get(HeatmapService).getHeatmap(user.id, id, 'Europe/Paris', false)).toEqual(body);
    expect(sut.sandbox.stats.totalCalls).toBe(0);
  });

  it('should keep suggestions and dismissals while all of them compute at once', async () => {
    const email = 'many-0@sandbox.mailroom.test';
    const id = await user.connect(email);
    const mailbox = sut.sandbox.mailbox(email);
    const ids: string[][] = Array.from({ length: 12 }, (_, sender) =>
      Array.from({ length: 20 }, () =>
        mailbox.insert(`From: s${sender}@shop.test\r\nSubject: Hello\r\n\r\nx\r\n`, {
          labelIds: ['INBOX', 'UNREAD'],
        }),
      ),
    );
    const services = [sut.app.get(SuggestionsService), other.get(SuggestionsService)];
    const compute = async () =>
      (await Promise.all(services.map((service) => service.list(user.id, id, true)))).map((listed) =>
        listed.filter(({ type }) => type === 'bulk_unread'),
      );
    const first = (await compute()).map((listed) => listed.map((suggestion) => suggestion.id).sort());
    expect(first[0]).toHaveLength(12);
    expect(first[1]).toEqual(first[0]);

    const [dismissed, ...left] = first[0]!;
    for (let round = 0; round < 6; round += 1) {
      // What is found differs from round to round while somebody dismisses one.
      mailbox.changeLabels(ids[round]!, { [round % 2 ? 'add' : 'remove']: ['UNREAD'] });
      await sut.dataSource.query(
        `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute'`,
      );
      await Promise.all([compute(), compute(), services[round % 2]!.dismiss(user.id, dismissed!)]);
    }
    mailbox.changeLabels(ids.flat(), { add: ['UNREAD'] });
    await sut.dataSource.query(`UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute'`);
    const [last] = await compute();
    const lastIds = last!.map((suggestion) => suggestion.id);
    expect(lastIds).not.toContain(dismissed);
    expect(lastIds).toHaveLength(11);
    // Those that held all the time are still the same.
    const senders = last!.filter(({ sender }) => /^s(7|8|9|10|11)@/.test(sender));
    for (const suggestion of senders) expect(left).toContain(suggestion.id);
  });
});
