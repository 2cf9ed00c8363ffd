import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

/** The OpenAPI document of the application; operation ids are `<feature>.<method>`, stable for generated SDKs. */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const options = new DocumentBuilder()
    .setTitle('Mailroom')
    .setDescription(
      'Mailbox management: bulk clean-up, EML archive, search and export. Errors are RFC 9457 problem documents.',
    )
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
    .build();
  return SwaggerModule.createDocument(app, options, {
    operationIdFactory: (controllerKey, methodKey) => {
      const feature = controllerKey.replace(/Controller$/, '');
      return `${feature.charAt(0).toLowerCase()}${feature.slice(1)}.${methodKey}`;
    },
  });
}
