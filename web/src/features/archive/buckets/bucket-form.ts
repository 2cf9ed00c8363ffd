import type { InputProps } from '../../../ui/use-service-form';

/** Values of a bucket while a person fills them in. */
export interface BucketValues {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly forcePathStyle: boolean;
}

/** A form with the values of a bucket, among others. */
export interface BucketForm {
  readonly getInputProps: (field: keyof BucketValues, options?: { type: 'checkbox' }) => InputProps;
}

/** Body of a request that tests the bucket. */
export const testOf = (values: BucketValues) => ({
  endpoint: values.endpoint.trim(),
  ...(values.region.trim() && { region: values.region.trim() }),
  ...(values.bucket.trim() && { bucket: values.bucket.trim() }),
  accessKeyId: values.accessKeyId,
  secretAccessKey: values.secretAccessKey,
  forcePathStyle: values.forcePathStyle,
});

/** The bucket in the body of a request that saves it. */
export const configOf = (values: BucketValues) => ({
  objstoreEndpoint: values.endpoint.trim(),
  ...(values.region.trim() && { objstoreRegion: values.region.trim() }),
  ...(values.bucket.trim() && { objstoreBucket: values.bucket.trim() }),
  objstoreAccessKeyId: values.accessKeyId,
  objstoreSecretAccessKey: values.secretAccessKey,
  objstoreForcePathStyle: values.forcePathStyle,
});
