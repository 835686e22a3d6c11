// Reads all events of an organizer in pages of 7. Arguments: address of the server, user id.
import java.util.UUID
import kotlin.system.exitProcess
import moothall.client.apis.EventsApi
import moothall.client.apis.ImagesApi

val image: (ImagesApi, java.net.URI) -> java.io.File = { images, url -> images.proxyImage(url) }

fun main(args: Array<String>) {
    val events = EventsApi(args[0])
    val ids = mutableListOf<UUID>()
    var cursor: String? = null
    do {
        val page = events.listEvents(organizerId = UUID.fromString(args[1]), limit = 7, cursor = cursor)
        ids += page.items.map { it.event.id }
        cursor = page.nextCursor
    } while (cursor != null && ids.size <= 30)
    println("${ids.size} events, ${ids.toSet().size} different")
    exitProcess(if (ids.size == 30 && ids.toSet().size == 30) 0 else 1)
}
