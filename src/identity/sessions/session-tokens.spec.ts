import { JwtService } from '@nestjs/jwt';
import { ACCESS_TOKEN_SECONDS, SessionTokens } from './session-tokens';

const jwt = new JwtService({
  secret: 'x'.repeat(32),
  signOptions: { expiresIn: ACCESS_TOKEN_SECONDS },
  verifyOptions: { algorithms: ['HS256'] },
});
const claims = { sub: 'ada', sid: 'session', role: 'user' } as const;

describe('SessionTokens', () => {
  afterEach(() => jest.restoreAllMocks());

  it('should read the tokens it issues, and verify each once', () => {
    const verify = jest.spyOn(jwt, 'verify');
    const sut = new SessionTokens(jwt);
    const token = sut.issueAccessToken(claims);
    for (let time = 0; time < 3; time += 1)
      expect(sut.readAccessToken(token)).toMatchObject({ userId: 'ada', sessionId: 'session' });
    expect(verify).toHaveBeenCalledTimes(1);
  });

  it('should refuse a known token once it has expired', () => {
    const sut = new SessionTokens(jwt);
    const token = sut.issueAccessToken(claims);
    const { expiresAt } = sut.readAccessToken(token) as unknown as { expiresAt: number };
    const now = jest.spyOn(Date, 'now').mockReturnValue(expiresAt - 1);
    expect(sut.readAccessToken(token)).not.toBeNull();
    now.mockReturnValue(expiresAt);
    expect(sut.readAccessToken(token)).toBeNull();
    expect(sut.readAccessToken(token)).toBeNull();
  });

  it('should refuse tokens that are forged, altered or issued by others, every time', () => {
    const sut = new SessionTokens(jwt);
    const token = sut.issueAccessToken(claims);
    sut.readAccessToken(token);
    const forged = new JwtService({ secret: 'y'.repeat(32) }).sign({ ...claims }, { expiresIn: 60 });
    const endless = new JwtService({ secret: 'x'.repeat(32) }).sign({ ...claims });
    for (const wrong of [forged, `${token.slice(0, -1)}!`, `${token} `, endless, '', 'a.b.c']) {
      expect([wrong, sut.readAccessToken(wrong)]).toEqual([wrong, null]);
      expect([wrong, sut.readAccessToken(wrong)]).toEqual([wrong, null]);
    }
  });
});
