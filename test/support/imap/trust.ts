import tls from 'node:tls';

/** Lets this process trust a certificate (PEM) beside those it knows, until the mocks are restored. */
export function trust(cert: string): void {
  const { connect } = tls;
  const trusting = (options: tls.ConnectionOptions, done?: () => void): tls.TLSSocket =>
    connect({ ...options, ca: [...tls.rootCertificates, cert] }, done);
  jest.spyOn(tls, 'connect').mockImplementation(trusting as typeof connect);
}
