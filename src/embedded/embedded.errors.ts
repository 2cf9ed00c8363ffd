/** A private server cannot be started; the message is one sentence saying what to install, set or free. */
export class EmbeddedServiceUnavailable extends Error {
  override readonly name = 'EmbeddedServiceUnavailable';
}
