import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  NO_FORECAST,
  toTransferForecast,
  TransferForecastResponse,
} from '../../../mailbox/connect/dto/transfer-forecast.response';
import type { AuthenticatedUser } from '../../../platform/access/authenticated-user';
import { ListsRows } from '../../../platform/access/lists-rows';
import { CurrentUser, OwnsAccount } from '../../../platform/access/policies';
import { OperationGroup } from '../../../platform/openapi/operation-group';
import { ArchiveForecastsService } from './archive-forecasts.service';

@ApiTags('archive')
@OperationGroup('archive')
@OwnsAccount()
@Controller('archive/:accountId/forecast')
export class ArchiveForecastsController {
  constructor(private readonly forecasts: ArchiveForecastsService) {}

  /**
   * Forecast the archiving of a whole mailbox. Sums up the messages of an IMAP mailbox that are not archived, and says when the
   * last of them will have been read if the provider limits the bytes of a day, as Gmail does. The mailbox is not asked.
   */
  @Get()
  @ListsRows()
  async getForecast(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<TransferForecastResponse> {
    const forecast = await this.forecasts.forecast(user.id, accountId);
    return forecast ? toTransferForecast({ ...forecast.transfers, ...forecast }) : NO_FORECAST;
  }
}
