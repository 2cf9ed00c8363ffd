import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { CurrentUser, OwnsAccount, SessionOnly } from '../../platform/access/policies';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ReplaceJournalAddressDto, TurnOnJournalDto } from './dto/journal.dto';
import { JournalResponse, toJournalResponse } from './dto/journal.response';
import { JournalAddressesService } from './journal-addresses.service';
import { JournalNotAvailable } from './journal.errors';

@ApiTags('journal')
@OperationGroup('journal')
@OwnsAccount()
@SessionOnly()
@Controller('journal/:accountId')
export class JournalController {
  constructor(private readonly addresses: JournalAddressesService) {}

  /** Get the address for copied mail. With counts of the mail that came to it. The answer has the secret address. */
  @Get()
  async get(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<JournalResponse> {
    return toJournalResponse(await this.addresses.get({ userId: user.id, accountId }));
  }

  /**
   * Turn on copied mail for a mailbox. It gets a secret address, to which a mail server can copy each message by SMTP; a message
   * that arrives there is in the archive before the server hears that it was taken. A mailbox that has an address keeps it.
   * `format` says what the server sends, and can be changed in the same way.
   */
  @Put()
  @ApiBody({ type: TurnOnJournalDto, required: false })
  @ApiProblems(new JournalNotAvailable())
  async turnOn(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: TurnOnJournalDto,
  ): Promise<JournalResponse> {
    return toJournalResponse(await this.addresses.turnOn({ userId: user.id, accountId }, body.format));
  }

  /** Replace the address for copied mail. The counts go on. */
  @Post('replace')
  @HttpCode(200)
  @ApiProblems(new JournalNotAvailable(), new ResourceNotFound('journal address'))
  async replaceAddress(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: ReplaceJournalAddressDto,
  ): Promise<JournalResponse> {
    const { graceHours = 24 } = body;
    return toJournalResponse(await this.addresses.replace({ userId: user.id, accountId }, graceHours));
  }

  /** Turn off copied mail for a mailbox. Mail to its address is refused from then on; what came stays in the archive. */
  @Delete()
  @HttpCode(204)
  async turnOff(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<void> {
    await this.addresses.turnOff({ userId: user.id, accountId });
  }
}
