import { startTestApp, TestApp } from '../../../support/app';
import { OffloadBox } from '../../../support/offload/offload-box';
import type { TestUser } from '../../../support/test-user';

describe('Nightly offload', () => {
  let sut: TestApp;
  let user: TestUser;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
  });

  afterAll(() => sut?.close());

  const put = (box: OffloadBox, body: object): Promise<any> =>
    user.api.put(`${box.offloadPath}/schedule`, {
      select: { query: 'from:shop@letters.test' },
      mode: 'fast',
      graceDays: 30,
      maxPerNight: 3,
      isActive: true,
      ...body,
    });

  it('should keep a schedule until another one replaces it', async () => {
    const box = await OffloadBox.filled(sut, user, 0);
    const { status, body } = await put(box, {});
    expect({ status, body }).toMatchObject({ status: 200, body: { maxPerNight: 3, isActive: true } });
    expect(await user.api.get(`${box.offloadPath}/schedule`)).toMatchObject({ status: 200, body });
    expect((await put(box, { isActive: false })).status).toBe(200);
    expect((await user.api.get(`${box.offloadPath}/schedule`)).body).toMatchObject({ isActive: false });
  });

  it('should refuse invalid input by the name of its field', async () => {
    const box = await OffloadBox.filled(sut, user, 0);
    expect((await user.api.get(`${box.offloadPath}/schedule`)).status).toBe(404);
    const field = async (body: object): Promise<string> =>
      (await put(box, body)).body.errors[0].field as string;
    expect(await field({ graceDays: 6 })).toBe('graceDays');
    expect(await field({ maxPerNight: 10_001 })).toBe('maxPerNight');
    expect(await field({ isActive: 'yes' })).toBe('isActive');
    expect(await field({ select: {} })).toBe('select');
    expect(await field({ select: { ruleId: box.accountId } })).toBe('select.ruleId');
  });
});
