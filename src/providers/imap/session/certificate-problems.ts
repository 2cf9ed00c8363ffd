const UNKNOWN_ISSUER = 'The certificate of the server was issued by an unknown authority.';

/** Reasons for which a certificate is not accepted, in our words, by the code of Node's error. */
export const CERTIFICATE_PROBLEMS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the server is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the server leads to a self-signed one.',
  CERT_HAS_EXPIRED: 'The certificate of the server has expired.',
  CERT_NOT_YET_VALID: 'The certificate of the server is not valid yet.',
  CERT_REVOKED: 'The certificate of the server has been revoked.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the server is for another host name.',
  HOSTNAME_MISMATCH: 'The certificate of the server is for another host name.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
};
