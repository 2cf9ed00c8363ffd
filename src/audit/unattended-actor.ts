/** Who acts where neither a request nor a job says so. */
export abstract class UnattendedActor {
  abstract readonly kind: 'service' | 'operator';
}
