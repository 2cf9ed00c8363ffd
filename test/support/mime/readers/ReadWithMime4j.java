import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.TimeZone;
import java.util.concurrent.Callable;
import org.apache.james.mime4j.dom.Body;
import org.apache.james.mime4j.dom.Entity;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.dom.Multipart;
import org.apache.james.mime4j.dom.SingleBody;
import org.apache.james.mime4j.dom.TextBody;
import org.apache.james.mime4j.dom.address.Mailbox;
import org.apache.james.mime4j.message.DefaultMessageBuilder;
import org.apache.james.mime4j.stream.MimeConfig;

/** Reads messages with mime4j, for a comparison. Paths come on standard input, a line each; answers are JSON lines. */
public class ReadWithMime4j {
  public static void main(String[] parameters) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String path = in.readLine(); path != null; path = in.readLine()) {
      String line = path;
      out.println(valueOf(() -> read(line)));
    }
  }

  private static String read(String path) throws Exception {
    DefaultMessageBuilder builder = new DefaultMessageBuilder();
    builder.setMimeEntityConfig(MimeConfig.PERMISSIVE);
    try (InputStream file = new BufferedInputStream(Files.newInputStream(Path.of(path)))) {
      Message message = builder.parseMessage(file);
      return "{\"subject\":" + valueOf(() -> quoted(message.getSubject()))
          + ",\"sender\":" + valueOf(() -> quoted(senderOf(message)))
          + ",\"date\":" + valueOf(() -> dateOf(message.getDate()))
          + ",\"files\":" + valueOf(() -> filesOf(message))
          + ",\"text\":" + valueOf(() -> quoted(textOf(message))) + "}";
    }
  }

  /** Errors are of many kinds for messages that are malformed. */
  private static String valueOf(Callable<String> read) {
    try {
      return read.call();
    } catch (Exception error) {
      return quoted("!" + error.getClass().getSimpleName());
    }
  }

  private static String senderOf(Message message) {
    if (message.getFrom() == null || message.getFrom().isEmpty()) return "";
    Mailbox first = message.getFrom().get(0);
    return first.getAddress();
  }

  private static String dateOf(Date date) {
    if (date == null) return "null";
    SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss'Z'");
    format.setTimeZone(TimeZone.getTimeZone("UTC"));
    return quoted(format.format(date));
  }

  private static String filesOf(Message message) throws Exception {
    List<String> files = new ArrayList<>();
    collectFiles(message, files);
    return "[" + String.join(",", files) + "]";
  }

  private static void collectFiles(Entity entity, List<String> files) throws Exception {
    Body body = entity.getBody();
    if (body instanceof Multipart) {
      for (Entity part : ((Multipart) body).getBodyParts()) collectFiles(part, files);
    } else if (body instanceof Message) {
      collectFiles((Message) body, files);
    } else if (entity.getFilename() != null && body instanceof SingleBody) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ((SingleBody) body).writeTo(bytes);
      files.add("[" + quoted(entity.getFilename()) + "," + bytes.size() + "]");
    }
  }

  private static String textOf(Message message) throws Exception {
    TextBody text = findText(message, "text/plain");
    if (text == null) text = findText(message, "text/html");
    if (text == null) return "";
    StringWriter written = new StringWriter();
    text.getReader().transferTo(written);
    return written.toString();
  }

  private static TextBody findText(Entity entity, String type) {
    Body body = entity.getBody();
    if (body instanceof TextBody && type.equals(entity.getMimeType()) && entity.getFilename() == null)
      return (TextBody) body;
    if (!(body instanceof Multipart)) return null;
    for (Entity part : ((Multipart) body).getBodyParts()) {
      TextBody found = findText(part, type);
      if (found != null) return found;
    }
    return null;
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char unit : (text == null ? "" : text).toCharArray()) {
      if (unit == '"' || unit == '\\') quoted.append('\\').append(unit);
      else if (unit < ' ' || unit > '~') quoted.append(String.format("\\u%04x", (int) unit));
      else quoted.append(unit);
    }
    return quoted.append('"').toString();
  }
}
