/** Who makes the request, as the guards established it. */
export interface AuthenticatedUser {
  readonly id: string;
  readonly email: string;
  readonly role: 'admin' | 'user';
  readonly sessionId: string;
}

declare module 'express' {
  interface Request {
    user?: AuthenticatedUser;
  }
}
